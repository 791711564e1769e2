// SPDX-License-Identifier: Apache-2.0

#include "jit/base/json.h"

#include <llvm/Support/JSON.h>

#include <algorithm>

namespace jit {
namespace {

Json jsonOf(const llvm::json::Value& value) {
  switch (value.kind()) {
    case llvm::json::Value::Null:
      break;
    case llvm::json::Value::Boolean:
      return {*value.getAsBoolean()};
    case llvm::json::Value::Number:
      return {Json::Number{*value.getAsNumber(), value.getAsUINT64()}};
    case llvm::json::Value::String:
      return {value.getAsString()->str()};
    case llvm::json::Value::Array: {
      Json::Array elements;
      for (const llvm::json::Value& element : *value.getAsArray())
        elements.push_back(jsonOf(element));
      return {std::move(elements)};
    }
    case llvm::json::Value::Object: {
      Json::Object members;
      for (const auto& [name, member] : *value.getAsObject())
        members.push_back({name.str(), jsonOf(member)});
      std::ranges::sort(members, {}, &JsonMember::name);
      return {std::move(members)};
    }
  }
  return {Json::Null{}};
}

bool isTooDeep(std::string_view text) {
  int depth = 0;
  bool is_quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (is_quoted) {
      if (c == '\\') ++i;
      if (c == '"') is_quoted = false;
    } else if (c == '"') {
      is_quoted = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kMaxJsonDepth) return true;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return false;
}

}  // namespace

const Json* Json::find(std::string_view name) const {
  const Object* all = members();
  if (all == nullptr) return nullptr;
  const auto found = std::ranges::find(*all, name, &JsonMember::name);
  return found != all->end() ? &found->value : nullptr;
}

std::variant<Json, std::string> parseJson(std::string_view text) {
  if (isTooDeep(text))
    return "more than " + std::to_string(kMaxJsonDepth) + " arrays and objects within each other";
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value) return llvm::toString(value.takeError());
  return jsonOf(*value);
}

}  // namespace jit
