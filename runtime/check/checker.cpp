// SPDX-License-Identifier: Apache-2.0

#include "runtime/check/checker.h"

#include <utility>

namespace rt {

bool Checker::isNews(FindingKind kind, std::string_view site) {
  std::string place(site);
  place += static_cast<char>(kind);
  std::lock_guard lock(mutex_);
  if (!places_.insert(std::move(place)).second) return false;
  return count_.fetch_add(1, std::memory_order_relaxed) < options_.most_findings;
}

void Checker::giveUp() noexcept {
  try {
    stop_("no memory for a check of shaders");
  } catch (const std::bad_alloc&) {
    return;  // it is asked for again at the next access
  }
}

void Checker::report(const Finding& finding) {
  {
    std::lock_guard lock(reporting_);
    sink_(finding);
  }
  if (!losesDevice(finding.kind)) return;
  const std::string place = hasPlace(finding) ? ", at " + placeOf(finding.site) : "";
  stop_(headOf(finding) + place);
}

bool Checker::losesDevice(FindingKind kind) const {
  switch (rowOf(kind).check) {
    case Check::Memory:
      return options_.action == CheckAction::DeviceLost;
    case Check::Assert:
      return options_.action == CheckAction::DeviceLost || options_.action == CheckAction::Default;
    default:
      return false;
  }
}

namespace {

Actor actorOf(const Race::Side& side) {
  Actor actor{.workgroup = side.workgroup};
  if (side.actor < kSubgroupActor)
    actor.invocation = side.actor;
  else if (side.actor < kWorkgroupActor)
    actor.subgroup = side.actor - kSubgroupActor;
  return actor;
}

const char* nameOf(const Race::Side& side) {
  if (side.is_atomic) return "an atomic operation";
  return side.is_store ? "a store" : "a load";
}

}  // namespace

void Checker::reportRace(const Race& race) {
  const FindingKind kind = race.in_workgroup_memory ? FindingKind::WorkgroupMemory
                           : race.in_other_command  ? FindingKind::Commands
                                                    : FindingKind::DeviceMemory;
  const std::string &now = races_.site(race.now.site), &before = races_.site(race.before.site);
  if (!isNews(kind, now < before ? now + before : before + now)) return;
  Finding finding{.kind = kind,
                  .what = {},
                  .site = readSite(now),
                  .actor = actorOf(race.now),
                  .other_site = readSite(before),
                  .other_actor = actorOf(race.before),
                  .details = {}};
  for (auto [site, actor] : {std::pair(&finding.site, &*finding.actor),
                             std::pair(&*finding.other_site, &*finding.other_actor)})
    if (actor->invocation) actor->subgroup = *actor->invocation / site->subgroup_size;
  finding.what = std::string(nameOf(race.now)) +
                 (finding.site.object.empty() ? "" : " of " + finding.site.object) + " and " +
                 nameOf(race.before) + " of the same memory are not ordered";
  finding.is_store = race.now.is_store;
  if (!race.in_workgroup_memory) {
    finding.address = race.address;
    if (const auto buffer = memory_.bufferAt(race.address, 1))
      finding.details.push_back(memory_.describe("buffer", buffer->object) + " of " +
                                std::to_string(buffer->bytes()) + " bytes, byte " +
                                std::to_string(race.address - buffer->begin));
  }
  report(finding);
}

}  // namespace rt
