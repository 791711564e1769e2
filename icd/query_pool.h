// SPDX-License-Identifier: Apache-2.0

// VkQueryPool. A compute queue writes timestamps and counts the invocations of compute shaders;
// pools for what other queues count can be made, and their queries never become available.
#pragma once

#include <memory>

#include "icd/handles.h"
#include "runtime/query.h"

namespace icd {

struct QueryPool : NonDispatchable<QueryPool, VkQueryPool> {
  explicit QueryPool(const VkQueryPoolCreateInfo& info);

  bool has(uint32_t first, uint32_t count) const;
  bool countsInvocations() const;  // and nothing else

  const VkQueryType type;
  const VkQueryPipelineStatisticFlags statistics;  // 0 if the type has none
  const std::shared_ptr<rt::QueryPool> queries;    // command lists share it
};

rt::QueryResultFormat resultFormat(VkQueryResultFlags flags);

}  // namespace icd
