// SPDX-License-Identifier: Apache-2.0

// The timeline that TESSERA_TRACE asks for: what the driver does, on which thread and when, as
// trace events of Chrome's format, which Perfetto and speedscope show.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/process.h"
#include "runtime/trace/trace_file.h"

namespace rt {

// What an event says besides its name and its times: members of a JSON object. One for which there
// is no memory is left out.
class TraceArgs {
 public:
  void add(std::string_view key, std::string_view text) noexcept;
  void add(std::string_view key, uint64_t number) noexcept;
  void add(std::string_view key, std::span<const uint32_t> numbers) noexcept;
  void add(std::string_view key, std::span<const std::string> texts) noexcept;

  const std::string& text() const { return text_; }

 private:
  template <typename AppendValue>
  void addMember(std::string_view key, AppendValue appendValue) noexcept;

  std::string text_;
};

// Whose track an event is on.
enum class TraceTrack : uint8_t {
  Application,  // this thread, which is one of the application's
  Queue,        // this thread, which is a queue's
  Worker,       // this thread, which runs workgroups and is not a queue's
};

// Thread-safe. Nothing of it fails: where there is no memory, events are left out. In a forked
// child of its process it writes nothing.
//
// Events are gathered, and written when there are many of them, when the last time is a tenth of a
// second ago, where flush() is called, and when the process ends. What a process that is killed has
// not written is lost.
class Trace {
 public:
  // The one of this path in the process, which lives as long as that; null, with errno, if it
  // cannot be written. `most_bytes` of the first that opens it counts.
  static std::shared_ptr<Trace> open(const std::string& path, uint64_t most_bytes);

  // Something that took from `begin` to `end`, nanoseconds of rt::now(). Of a track, each two
  // either follow each other or one is inside of the other.
  void span(TraceTrack track, std::string_view category, std::string_view name, uint64_t begin,
            uint64_t end, const TraceArgs& args = {}) noexcept;
  // Something at one moment, now.
  void instant(TraceTrack track, std::string_view category, std::string_view name) noexcept;

  // An arrow from a span on one track to one on another; both happen now, inside of these spans.
  uint64_t beginArrow(TraceTrack track, std::string_view name) noexcept;
  void endArrow(TraceTrack track, std::string_view name, uint64_t arrow) noexcept;

  // A track of its own, for work that is begun on a thread which may do something else besides.
  class Lane {
   public:
    explicit Lane(Trace& trace);
    ~Lane();
    Lane(const Lane&) = delete;
    Lane& operator=(const Lane&) = delete;

    void span(std::string_view category, std::string_view name, uint64_t begin, uint64_t end,
              const TraceArgs& args = {}) noexcept;

   private:
    Trace& trace_;
    uint32_t number_;
  };

  void flush() noexcept;

  // Why events are missing, as a line; the first time only.
  std::optional<std::string> takeProblem();

 private:
  Trace(std::string path, uint64_t most_bytes, std::unique_ptr<TraceFile> file);

  pid_t threadOf(TraceTrack track);
  void addSpan(pid_t thread, std::string_view category, std::string_view name, uint64_t begin,
               uint64_t end, const TraceArgs& args);
  void addArrow(char phase, TraceTrack track, std::string_view name, uint64_t arrow);
  void nameThread(pid_t thread, std::string_view name);
  void add(std::string_view event);
  void write();  // under mutex_

  const Home home_;
  const std::string path_;
  const uint64_t most_bytes_;
  const uint64_t number_;  // tells it from all others of the process
  const pid_t process_;
  std::mutex mutex_;
  std::unique_ptr<TraceFile> file_;  // null: no more is written; under mutex_, as all that follows
  std::string events_;               // gathered
  uint64_t written_at_;
  std::array<uint32_t, 3> named_{};  // threads, by track
  std::vector<bool> lanes_;          // whether they are taken
  std::string problem_;
  bool is_problem_told_ = false;
};

// A span from its making to its end; nothing where there is no trace.
class TraceSpan {
 public:
  // The texts stay the caller's.
  TraceSpan(Trace* trace, TraceTrack track, std::string_view category, std::string_view name);
  ~TraceSpan();
  TraceSpan(const TraceSpan&) = delete;
  TraceSpan& operator=(const TraceSpan&) = delete;

  template <typename Value>
  void add(std::string_view key, const Value& value) {
    if (trace_ != nullptr) args_.add(key, value);
  }

 private:
  Trace* const trace_;
  const TraceTrack track_;
  const std::string_view category_, name_;
  const uint64_t begin_;
  TraceArgs args_;
};

}  // namespace rt
