// SPDX-License-Identifier: Apache-2.0

// A file of trace events: a JSON array to which several processes may add at the same time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace rt {

// Not thread-safe. After each append() the file is a whole array, with its closing bracket, so it
// is one whenever the processes end; one that is killed inside of the write may leave it without
// the bracket, and with a part of an event.
class TraceFile {
 public:
  // Replaces what is there, unless a process that still runs has the file open like this: its
  // events stay, and those of this process come to them. Null, with errno, if it cannot be written.
  static std::unique_ptr<TraceFile> open(const std::string& path);
  ~TraceFile();
  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;

  enum class Outcome : uint8_t {
    Added,
    Full,   // it would be larger than `most_bytes`; nothing was added
    Failed  // errno says why; nothing was added
  };
  // `events`: JSON objects with commas between them, at least one.
  Outcome append(std::string_view events, uint64_t most_bytes);

 private:
  explicit TraceFile(int file) : file_(file) {}

  const int file_;
};

}  // namespace rt
