// SPDX-License-Identifier: Apache-2.0

#include "runtime/log.h"

#include <cstdio>
#include <new>
#include <string>
#include <utility>

#include "runtime/printable.h"

namespace rt {

namespace {

const char* levelName(LogLevel level) {
  switch (level) {
    case LogLevel::Off:
      return "";
    case LogLevel::Error:
      return "error";
    case LogLevel::Warning:
      return "warning";
    case LogLevel::Info:
      return "info";
    case LogLevel::Remark:
      return "remark";
  }
  return "";
}

}  // namespace

void Log::setSink(Sink sink) {
  if (!home_.isHere()) return;
  auto shared = sink ? std::make_shared<const Sink>(std::move(sink)) : nullptr;
  std::lock_guard lock(mutex_);
  sink_ = std::move(shared);
}

void Log::write(LogLevel level, std::string_view message) noexcept {
  if (level == LogLevel::Off) return;
  std::string escaped;
  if (hasControlBytes(message)) {
    try {
      message = escaped = printable(message, Lines::Kept);
    } catch (const std::bad_alloc&) {
      message = "no memory for a message with control bytes";
    }
  }
  if (level <= level_) {
    std::FILE* out = file_ != nullptr ? file_ : stderr;
    std::fprintf(out, "tessera: %s: %.*s\n", levelName(level), int(message.size()), message.data());
    std::fflush(out);
  }
  if (!home_.isHere()) return;
  std::lock_guard lock(mutex_);
  // A copy, because the sink may replace itself.
  if (std::shared_ptr<const Sink> sink = sink_) (*sink)(level, message);
}

void Log::print(std::string_view text) noexcept {
  std::FILE* out = file_ != nullptr ? file_ : stderr;
  std::fprintf(out, "tessera: %.*s\n", int(text.size()), text.data());
  std::fflush(out);
}

}  // namespace rt
