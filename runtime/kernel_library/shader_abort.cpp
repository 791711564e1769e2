// SPDX-License-Identifier: Apache-2.0

#include "runtime/kernel_library/shader_abort.h"

#include <cstdio>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/kernel_library/debug_printf.h"
#include "runtime/kernel_library/site_report.h"
#include "runtime/printable.h"

namespace rt {

namespace {

// The first live lane as an actor, with the number of others.
std::optional<Actor> actorOf(const CheckedAccess& access, const CheckSite& site) {
  std::optional<Actor> actor;
  for (uint32_t lane = 0; lane < access.lanes; ++lane) {
    if (access.live[lane] == 0) continue;
    if (actor) {
      ++actor->others;
      continue;
    }
    actor.emplace();
    std::copy_n(access.workgroup->id, 3, actor->workgroup.begin());
    actor->invocation = access.invocations[lane];
    actor->subgroup = access.invocations[lane] / site.subgroup_size;
  }
  return actor;
}

// What stands at the start as text; of other messages their first bytes.
std::string describeMessage(std::span<const std::byte> message) {
  size_t length = 0;
  auto isText = [](std::byte byte) {
    const auto c = static_cast<unsigned char>(byte);
    return c >= 0x20 && c != 0x7f;
  };
  while (length < message.size() && isText(message[length])) ++length;
  std::string text;
  if (length >= 2) {
    text = "'" + printable({reinterpret_cast<const char*>(message.data()), length}) + "'";
    if (length == message.size()) return text;
    text += " and more, ";
  }
  text += std::to_string(message.size()) + " bytes";
  constexpr size_t kMostBytes = 32;
  if (message.size() > length) text += ":";
  for (const std::byte byte :
       message.subspan(length < 2 ? 0 : length)
           .first(std::min(message.size() - (length < 2 ? 0 : length), kMostBytes))) {
    char hex[8];
    std::snprintf(hex, sizeof hex, " %02x", static_cast<unsigned>(byte));
    text += hex;
  }
  return text;
}

}  // namespace

void shaderAbort(const DispatchArgs* dispatch, const char* site_text, const CheckedAccess* access,
                 const std::byte* constants, uint64_t size, const AbortPart* parts,
                 uint64_t count) {
  if (dispatch->debug_printf == nullptr) return;
  try {
    const CheckSite site = readSite(site_text);
    const std::optional<Actor> actor = actorOf(*access, site);
    if (!actor) return;
    uint32_t first = 0;
    while (access->live[first] == 0) ++first;
    std::vector<std::byte> message(constants, constants + size);
    for (const AbortPart& part : std::span(parts, count)) {
      const uint64_t value = part.value.of(first);
      std::memcpy(message.data() + part.offset, &value, part.bytes);
    }
    std::string reason = "a shader aborted: " + describeMessage(message) + ", at " + placeOf(site);
    if (!site.frames.empty() && !site.frames[0].function.empty())
      reason += ", in " + site.frames[0].function;
    reason += ", by " + describeActor(*actor, site);
    // A kernel out of a cache may have another shader's name where nothing is checked.
    if (dispatch->checker != nullptr && !site.shader.empty())
      reason += ", of the shader " + site.shader;
    dispatch->debug_printf->abort(reason, message);
  } catch (const std::bad_alloc&) {
    dispatch->debug_printf->abort("a shader aborted", {});
  }
}

void debugBreak(const DispatchArgs* dispatch, const char* site, const CheckedAccess* access) {
  guarded(dispatch, [&] {
    if (dispatch->checker == nullptr) return;
    const std::optional<Actor> actor = actorOf(*access, readSite(site));
    if (!actor) return;
    SiteReport(dispatch, site, *access->workgroup)
        .add(FindingKind::DebugBreak, [&](Finding& finding) {
          finding.actor = *actor;
          finding.what = "the shader has come to a DebugBreak";
        });
  });
}

}  // namespace rt
