// SPDX-License-Identifier: Apache-2.0

// Which barriers the instruction streams of a workgroup come to: all of them to the same ones, in
// the same order, or something is wrong.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace rt {

// Of one workgroup at a time, for the thread that runs it. Streams go from barrier to barrier in
// turn; one that has ended waits at none.
class BarrierRecord {
 public:
  using Site = const char*;  // its description, see describeSite(); null: none

  // The first stream begins a workgroup of `streams`.
  void begin(uint32_t streams);

  // `may_differ`: not all of the workgroup is known to come there. `waits`: for the others; else
  // the stream only arrives.
  void arrive(uint32_t stream, Site site, bool may_differ, bool waits);

  // Once for each stream. Sites of barriers that were not everybody's, when the last one has ended:
  // those which streams came to different numbers of times; if there are none, two that streams
  // waited at together.
  std::vector<Site> end(uint32_t stream);

 private:
  struct Count {
    Site site;
    bool may_differ;
    std::vector<uint32_t> times;  // by stream
  };
  Count& countOf(Site site, bool may_differ);

  uint32_t streams_ = 0, running_ = 0;
  std::vector<Count> counts_;
  std::vector<uint64_t> rounds_;  // of each stream: barriers that it has waited at
  uint64_t round_ = 0;            // the latest, and where the first of its streams waits
  Site round_site_ = nullptr;
  bool round_may_differ_ = false;
  std::pair<Site, Site> together_{};
};

}  // namespace rt
