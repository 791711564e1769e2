// VkQueryPool: timestamps, the only queries that a compute queue must have.
#pragma once

#include <memory>

#include "icd/handles.h"
#include "runtime/query.h"

namespace icd {

struct QueryPool : NonDispatchable<QueryPool, VkQueryPool> {
  explicit QueryPool(uint32_t count) : queries(std::make_shared<rt::QueryPool>(count)) {}

  const std::shared_ptr<rt::QueryPool> queries;  // command lists share it
};

rt::QueryResultFormat resultFormat(VkQueryResultFlags flags);

}  // namespace icd
