// SPDX-License-Identifier: Apache-2.0

// Messages to people: stderr, up to a level, and a hook for VK_EXT_debug_utils.
#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <mutex>
#include <string_view>

#include "runtime/process.h"

namespace rt {

enum class LogLevel : uint8_t { Off, Error, Warning, Info, Remark };

// Thread-safe. One per instance. In a forked child of its process it has no sink: its lock may be
// held there for ever, and the sink's.
class Log {
 public:
  // Gets every message, whatever the level of stderr. Called on the thread that logs; may log
  // itself, must not throw.
  using Sink = std::function<void(LogLevel, std::string_view)>;

  // Messages go to `file`, which stays the caller's, instead of stderr; null: to stderr.
  explicit Log(LogLevel level, std::FILE* file = nullptr) : level_(level), file_(file) {}

  // Empty: none. When it returns, no other thread is in the old one.
  void setSink(Sink sink);

  // `message`: one line or more, no newline at the end. Other control bytes are escaped.
  void write(LogLevel level, std::string_view message) noexcept;
  void error(std::string_view message) noexcept { write(LogLevel::Error, message); }
  void warning(std::string_view message) noexcept { write(LogLevel::Warning, message); }
  void info(std::string_view message) noexcept { write(LogLevel::Info, message); }

  // Text of a shader's or about one, to stderr or the file alone, at any level.
  void print(std::string_view text) noexcept;

  LogLevel level() const { return level_; }

 private:
  const Home home_;
  const LogLevel level_;
  std::FILE* const file_;
  std::recursive_mutex mutex_;
  std::shared_ptr<const Sink> sink_;
};

}  // namespace rt
