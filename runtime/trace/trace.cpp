// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/trace.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <new>

#include "runtime/clock.h"
#include "runtime/quantity.h"
#include "runtime/trace/json_text.h"

namespace rt {

namespace {

// Bytes of events that are gathered, and nanoseconds for which.
constexpr size_t kMostGathered = 64 << 10;
constexpr uint64_t kMostPatience = 100'000'000;

// Numbers of lanes, which no thread has: the system's end at 2^22 (man 5 proc, pid_max).
constexpr pid_t kFirstLane = 1 << 24;

// All of the process. Never destroyed.
struct Traces {
  std::mutex mutex;
  std::vector<std::shared_ptr<Trace>> all;
};

Traces& traces() {
  static Traces& all = *new Traces;
  return all;
}

void flushAll(int, void*) {
  std::lock_guard lock(traces().mutex);
  for (const auto& trace : traces().all) trace->flush();
}

// The trace that a thread has its name in, and its number there.
thread_local uint64_t named_in = 0;
thread_local pid_t own_number = 0;

// Microseconds, as the format has them.
void appendTime(std::string& json, uint64_t nanoseconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%llu.%03u", static_cast<unsigned long long>(nanoseconds / 1000),
                static_cast<unsigned>(nanoseconds % 1000));
  json += text;
}

std::string ownName() {
  char name[32] = {};
  pthread_getname_np(pthread_self(), name, sizeof name);
  return name;
}

std::string eventBegin(char phase, std::string_view name) {
  std::string event = "{\"ph\":\"";
  event += phase;
  event += "\",\"name\":";
  appendJson(event, name);
  return event;
}

}  // namespace

template <typename AppendValue>
void TraceArgs::addMember(std::string_view key, AppendValue appendValue) noexcept {
  const size_t before = text_.size();
  try {
    if (before != 0) text_ += ',';
    appendJson(text_, key);
    text_ += ':';
    appendValue();
  } catch (const std::bad_alloc&) {
    text_.resize(before);
  }
}

void TraceArgs::add(std::string_view key, std::string_view text) noexcept {
  addMember(key, [&] { appendJson(text_, text); });
}

void TraceArgs::add(std::string_view key, uint64_t number) noexcept {
  addMember(key, [&] { text_ += std::to_string(number); });
}

void TraceArgs::add(std::string_view key, std::span<const uint32_t> numbers) noexcept {
  addMember(key, [&] {
    text_ += '[';
    for (size_t k = 0; k < numbers.size(); ++k)
      text_ += (k == 0 ? "" : ",") + std::to_string(numbers[k]);
    text_ += ']';
  });
}

void TraceArgs::add(std::string_view key, std::span<const std::string> texts) noexcept {
  addMember(key, [&] {
    text_ += '[';
    for (size_t k = 0; k < texts.size(); ++k) {
      if (k != 0) text_ += ',';
      appendJson(text_, texts[k]);
    }
    text_ += ']';
  });
}

std::shared_ptr<Trace> Trace::open(const std::string& path, uint64_t most_bytes) {
  std::lock_guard lock(traces().mutex);
  auto& all = traces().all;
  const auto known = std::ranges::find_if(
      all, [&](const auto& trace) { return trace->path_ == path && trace->home_.isHere(); });
  if (known != all.end()) return *known;
  std::unique_ptr<TraceFile> file = TraceFile::open(path);
  if (file == nullptr) return nullptr;
  // What atexit() registers goes with the library (icd/static_objects.cpp).
  if (all.empty()) on_exit(&flushAll, nullptr);
  return all.emplace_back(new Trace(path, most_bytes, std::move(file)));
}

Trace::Trace(std::string path, uint64_t most_bytes, std::unique_ptr<TraceFile> file)
    : path_(std::move(path)),
      most_bytes_(most_bytes),
      number_([] {
        static std::atomic<uint64_t> made = 0;
        return ++made;
      }()),
      process_(getpid()),
      file_(std::move(file)),
      written_at_(now()) {
  TraceArgs args;
  args.add("name", std::string_view(program_invocation_short_name));
  add(eventBegin('M', "process_name") + ",\"pid\":" + std::to_string(process_) + ",\"args\":{" +
      args.text() + "}}");
}

void Trace::nameThread(pid_t thread, std::string_view name) {
  TraceArgs args;
  args.add("name", name);
  add(eventBegin('M', "thread_name") + ",\"pid\":" + std::to_string(process_) +
      ",\"tid\":" + std::to_string(thread) + ",\"args\":{" + args.text() + "}}");
}

// Of this thread, which gets its name with its first event.
pid_t Trace::threadOf(TraceTrack track) {
  if (named_in == number_) return own_number;
  own_number = gettid();
  named_in = number_;
  uint32_t number = 0;
  {
    std::lock_guard lock(mutex_);
    number = ++named_[static_cast<size_t>(track)];
  }
  std::string name;
  switch (track) {
    case TraceTrack::Application:
      name = "application: " + ownName();
      break;
    case TraceTrack::Queue:
      name = "queue " + std::to_string(number);
      break;
    case TraceTrack::Worker:
      name = "worker " + std::to_string(number);
      break;
  }
  nameThread(own_number, name);
  return own_number;
}

void Trace::addSpan(pid_t thread, std::string_view category, std::string_view name, uint64_t begin,
                    uint64_t end, const TraceArgs& args) {
  std::string event = eventBegin('X', name);
  event += ",\"cat\":";
  appendJson(event, category);
  event += ",\"ts\":";
  appendTime(event, begin);
  event += ",\"dur\":";
  // Spans that follow each other do not touch: to a viewer that adds such numbers as floats the
  // second would be inside of the first.
  appendTime(event, end > begin ? end - begin - 1 : 0);
  event += ",\"pid\":" + std::to_string(process_) + ",\"tid\":" + std::to_string(thread);
  if (!args.text().empty()) event += ",\"args\":{" + args.text() + "}";
  event += '}';
  add(event);
}

void Trace::span(TraceTrack track, std::string_view category, std::string_view name, uint64_t begin,
                 uint64_t end, const TraceArgs& args) noexcept {
  if (!home_.isHere()) return;
  try {
    addSpan(threadOf(track), category, name, begin, end, args);
  } catch (const std::bad_alloc&) {
    return;
  }
}

void Trace::instant(TraceTrack track, std::string_view category, std::string_view name) noexcept {
  if (!home_.isHere()) return;
  try {
    const pid_t thread = threadOf(track);
    std::string event = eventBegin('i', name);
    event += ",\"cat\":";
    appendJson(event, category);
    event += ",\"s\":\"t\",\"ts\":";
    appendTime(event, now());
    event += ",\"pid\":" + std::to_string(process_) + ",\"tid\":" + std::to_string(thread) + "}";
    add(event);
  } catch (const std::bad_alloc&) {
    return;
  }
}

void Trace::addArrow(char phase, TraceTrack track, std::string_view name, uint64_t arrow) {
  const pid_t thread = threadOf(track);
  std::string event = eventBegin(phase, name);
  event += ",\"cat\":\"arrow\",\"id\":\"" + std::to_string(process_) + "." + std::to_string(arrow) +
           "\"";
  if (phase == 'f') event += ",\"bp\":\"e\"";
  event += ",\"ts\":";
  appendTime(event, now());
  event += ",\"pid\":" + std::to_string(process_) + ",\"tid\":" + std::to_string(thread) + "}";
  add(event);
}

uint64_t Trace::beginArrow(TraceTrack track, std::string_view name) noexcept {
  static std::atomic<uint64_t> arrows = 0;
  const uint64_t arrow = ++arrows;
  if (!home_.isHere()) return arrow;
  try {
    addArrow('s', track, name, arrow);
  } catch (const std::bad_alloc&) {
    return arrow;
  }
  return arrow;
}

void Trace::endArrow(TraceTrack track, std::string_view name, uint64_t arrow) noexcept {
  if (!home_.isHere()) return;
  try {
    addArrow('f', track, name, arrow);
  } catch (const std::bad_alloc&) {
    return;
  }
}

void Trace::add(std::string_view event) {
  std::lock_guard lock(mutex_);
  if (file_ == nullptr) return;
  if (!events_.empty()) events_ += ",\n";
  events_ += event;
  if (events_.size() >= kMostGathered || now() - written_at_ >= kMostPatience) write();
}

void Trace::write() {
  if (file_ == nullptr || events_.empty()) return;
  const TraceFile::Outcome outcome = file_->append(events_, most_bytes_);
  const int error = errno;
  events_.clear();
  written_at_ = now();
  if (outcome == TraceFile::Outcome::Added) return;
  file_ = nullptr;
  problem_ = "TESSERA_TRACE=" + path_;
  problem_ +=
      outcome == TraceFile::Outcome::Full
          ? " is full: its timeline ends at TESSERA_TRACE_SIZE, " + describeBytes(most_bytes_)
          : std::string(" cannot be written any more: ") + std::strerror(error);
}

void Trace::flush() noexcept {
  if (!home_.isHere()) return;
  try {
    std::lock_guard lock(mutex_);
    write();
  } catch (const std::bad_alloc&) {
    return;
  }
}

std::optional<std::string> Trace::takeProblem() {
  if (!home_.isHere()) return std::nullopt;
  std::lock_guard lock(mutex_);
  if (problem_.empty() || is_problem_told_) return std::nullopt;
  is_problem_told_ = true;
  return problem_;
}

Trace::Lane::Lane(Trace& trace) : trace_(trace), number_(0) {
  if (!trace_.home_.isHere()) return;
  bool is_new = false;
  {
    std::lock_guard lock(trace_.mutex_);
    auto free = std::ranges::find(trace_.lanes_, false);
    is_new = free == trace_.lanes_.end();
    number_ = static_cast<uint32_t>(free - trace_.lanes_.begin());
    if (is_new)
      trace_.lanes_.push_back(true);
    else
      *free = true;
  }
  if (is_new)
    trace_.nameThread(kFirstLane + static_cast<pid_t>(number_),
                      "compiler " + std::to_string(number_ + 1));
}

Trace::Lane::~Lane() {
  if (!trace_.home_.isHere()) return;
  std::lock_guard lock(trace_.mutex_);
  trace_.lanes_[number_] = false;
}

void Trace::Lane::span(std::string_view category, std::string_view name, uint64_t begin,
                       uint64_t end, const TraceArgs& args) noexcept {
  if (!trace_.home_.isHere()) return;
  try {
    trace_.addSpan(kFirstLane + static_cast<pid_t>(number_), category, name, begin, end, args);
  } catch (const std::bad_alloc&) {
    return;
  }
}

TraceSpan::TraceSpan(Trace* trace, TraceTrack track, std::string_view category,
                     std::string_view name)
    : trace_(trace),
      track_(track),
      category_(category),
      name_(name),
      begin_(trace != nullptr ? now() : 0) {}

TraceSpan::~TraceSpan() {
  if (trace_ != nullptr) trace_->span(track_, category_, name_, begin_, now(), args_);
}

}  // namespace rt
