// SPDX-License-Identifier: Apache-2.0

// What a queue executes: plain structs, one per kind of command, recorded elsewhere. Adding one is
// a struct and a row in Command here, and an overload in execute.cpp.
//
// Commands take effect one after the other, in the order of the list, each complete before the
// next begins; they hold addresses, not buffers. Memory that they name must live until the
// submission has ended (Vulkan Specification, "Command Buffer Lifecycle").
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "runtime/event.h"
#include "runtime/kernel.h"
#include "runtime/query.h"

namespace rt {

struct CommandList;

// vkCmdDispatch, vkCmdDispatchBase. The grid is args->workgroup_count; any count may be 0.
struct Dispatch {
  std::shared_ptr<const KernelImage> kernel;
  std::unique_ptr<const DispatchArgs> args;
  uint64_t bound_bytes = 0;  // for the kernel's profile
};

// vkCmdDispatchIndirect. workgroup_count is taken from memory when the command runs.
struct DispatchIndirect {
  std::shared_ptr<const KernelImage> kernel;
  std::unique_ptr<const DispatchArgs> args;  // all but workgroup_count
  const std::byte* workgroup_count;          // 3 x uint32_t
  uint64_t bound_bytes = 0;                  // for the kernel's profile
};

// One region of vkCmdCopyBuffer. Regions do not overlap.
struct CopyBuffer {
  std::byte* destination;
  const std::byte* source;
  uint64_t bytes;
};

// vkCmdCopyMemoryIndirectKHR. The regions are taken from memory when the command runs: the source's
// address, the destination's, and the bytes, 3 x uint64_t.
struct CopyMemoryIndirect {
  const std::byte* regions;
  uint64_t stride;  // bytes
  uint32_t count;
};

// vkCmdFillBuffer.
struct FillBuffer {
  std::byte* destination;
  uint64_t bytes;  // a multiple of 4
  uint32_t value;
};

// vkCmdUpdateBuffer. The data were copied when the command was recorded.
struct UpdateBuffer {
  std::byte* destination;
  std::vector<std::byte> data;
};

// Everything before it is visible to everything after it, and to the host.
struct PipelineBarrier {
  Checker* checker = nullptr;  // of races; null: none
};

struct SetEvent {
  std::shared_ptr<Event> event;
};

struct ResetEvent {
  std::shared_ptr<Event> event;
};

struct WaitEvents {
  std::vector<std::shared_ptr<Event>> events;  // all of them
};

struct ResetQueries {
  std::shared_ptr<QueryPool> pool;
  uint32_t first, count;
};

struct WriteTimestamp {
  std::shared_ptr<QueryPool> pool;
  uint32_t query;
};

// vkCmdBeginQuery, vkCmdEndQuery: counts invocations of compute shaders in between, also those of
// secondary command buffers.
struct BeginQuery {
  std::shared_ptr<QueryPool> pool;
  uint32_t query;
};

struct EndQuery {
  std::shared_ptr<QueryPool> pool;
  uint32_t query;
};

struct CopyQueryResults {
  std::shared_ptr<QueryPool> pool;
  uint32_t first, count;
  std::byte* destination;
  uint64_t stride;  // bytes
  QueryResultFormat format;
};

// vkCmdExecuteCommands, one secondary command buffer.
struct ExecuteCommands {
  std::shared_ptr<const CommandList> list;
};

// vkCmdBeginDebugUtilsLabelEXT and its neighbours. There are some only where a trace is written.
struct BeginLabel {
  std::string name;
};

struct EndLabel {};

struct InsertLabel {
  std::string name;
};

// What a check of the API does when the queue comes there.
struct Callback {
  std::function<void()> call;
};

using Command = std::variant<Dispatch, DispatchIndirect, CopyBuffer, CopyMemoryIndirect, FillBuffer,
                             UpdateBuffer, PipelineBarrier, SetEvent, ResetEvent, WaitEvents,
                             ResetQueries, WriteTimestamp, BeginQuery, EndQuery, CopyQueryResults,
                             ExecuteCommands, BeginLabel, EndLabel, InsertLabel, Callback>;

// Immutable once submitted, so it may be submitted many times, also while it runs.
struct CommandList {
  std::vector<Command> commands;
  std::vector<std::shared_ptr<const void>> memory;  // that commands refer to and nobody else keeps
};

}  // namespace rt
