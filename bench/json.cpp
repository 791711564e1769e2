// SPDX-License-Identifier: Apache-2.0

#include "bench/json.h"

#include <cmath>
#include <cstdio>
#include <fstream>
#include <stdexcept>

namespace bench {

void Json::add(std::string_view key, double value) {
  separate(key);
  char number[32];
  std::snprintf(number, sizeof(number), "%.6g", value);
  text_ += std::isfinite(value) ? number : "null";
}

void Json::add(std::string_view key, std::string_view value) {
  separate(key);
  quote(value);
}

void Json::add(std::string_view key, bool value) {
  separate(key);
  text_ += value ? "true" : "false";
}

void Json::writeTo(const std::string& path) const {
  std::ofstream file(path);
  file << text_ << "\n";
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
}

void Json::separate(std::string_view key) {
  if (!first_) text_ += ",";
  // One line for each member of the outer levels, which makes records readable and comparable.
  if (depth_ > 0) text_ += depth_ <= 2 ? "\n" + std::string(static_cast<size_t>(depth_), ' ') : " ";
  first_ = false;
  if (key.empty()) return;
  quote(key);
  text_ += ": ";
}

void Json::quote(std::string_view text) {
  text_ += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') text_ += '\\';
    if (static_cast<unsigned char>(c) < 0x20)
      text_ += ' ';
    else
      text_ += c;
  }
  text_ += '"';
}

void Json::begin(std::string_view key, char bracket) {
  separate(key);
  text_ += bracket;
  first_ = true;
  ++depth_;
}

void Json::end(char bracket) {
  text_ += bracket;
  first_ = false;
  --depth_;
}

}  // namespace bench
