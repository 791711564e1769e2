// SPDX-License-Identifier: Apache-2.0

// Writes JSON, a value at a time.
#pragma once

#include <string>
#include <string_view>

namespace bench {

class Json {
 public:
  // Of an object a member; in an array the key stays empty. A NaN or an infinity is null.
  void add(std::string_view key, double value);
  void add(std::string_view key, std::string_view value);
  void add(std::string_view key, const char* value) { add(key, std::string_view(value)); }
  void add(std::string_view key, bool value);
  void beginObject(std::string_view key = "") { begin(key, '{'); }
  void endObject() { end('}'); }
  void beginArray(std::string_view key = "") { begin(key, '['); }
  void endArray() { end(']'); }

  const std::string& text() const { return text_; }
  // Throws std::runtime_error.
  void writeTo(const std::string& path) const;

 private:
  void separate(std::string_view key);
  void quote(std::string_view text);
  void begin(std::string_view key, char bracket);
  void end(char bracket);

  std::string text_;
  bool first_ = true;
  int depth_ = 0;
};

}  // namespace bench
