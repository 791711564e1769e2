// SPDX-License-Identifier: Apache-2.0

// Kernels with masked accesses, the memory that they run on, and what is in it then.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace jit::simt::wide_access {

inline constexpr uint32_t kLanes = 128;
// Words of memory: whether lanes are live, bytes from kData to what each accesses, that memory,
// what is stored or stays where nobody is live, and what was loaded.
inline constexpr uint32_t kMask = 0, kOffsets = 128, kData = 256, kDataWords = 512,
                          kValues = kData + kDataWords, kResults = kValues + 256,
                          kWords = kResults + 256;

struct Element {
  std::string type, name;  // in LLVM's IR, in the names of intrinsics
  uint32_t bytes;
};
inline const Element kByte{"i8", "i8", 1}, kHalf{"i16", "i16", 2}, kWord{"i32", "i32", 4},
    kFloat{"float", "f32", 4}, kLong{"i64", "i64", 8}, kPointer{"ptr", "p0", 8};

enum class Kind { Gather, Scatter, Load, Store };

// A kernel of `lanes` invocations in which %pointers is where each accesses, %data the memory,
// %mask who is live, and %values of the type; `accesses` may store to %results.
inline std::string kernel(const std::string& declaration, uint32_t lanes, const std::string& type,
                          const std::string& accesses) {
  const std::string vector = "<" + std::to_string(lanes) + " x ";
  std::string text = declaration + R"(
      define void @main(ptr %dispatch, ptr %memory, i32 %x, i32 %y, i32 %z) {
      entry:
        %words = load ptr, ptr %dispatch
        )";
  for (const auto& [name, word] : {std::pair{"%mask.at", kMask},
                                   {"%offsets.at", kOffsets},
                                   {"%data", kData},
                                   {"%values.at", kValues},
                                   {"%results", kResults}})
    text +=
        std::string(name) + " = getelementptr i32, ptr %words, i64 " + std::to_string(word) + "\n";
  text += "%mask.words = load " + vector + "i32>, ptr %mask.at, align 4\n";
  text += "%mask = icmp ne " + vector + "i32> %mask.words, zeroinitializer\n";
  text += "%offsets = load " + vector + "i32>, ptr %offsets.at, align 4\n";
  text += "%pointers = getelementptr i8, ptr %data, " + vector + "i32> %offsets\n";
  text += "%values = load " + vector + type + ">, ptr %values.at, align 4\n";
  return text + accesses + "ret void }";
}

// One access, so many times.
inline std::string kernel(Kind kind, const Element& element, uint32_t lanes = kLanes,
                          uint32_t times = 1) {
  const std::string count = std::to_string(lanes), name = "v" + count + element.name,
                    vector = "<" + count + " x " + element.type + ">",
                    pointers = "<" + count + " x ptr>", mask = "<" + count + " x i1>",
                    aligned = "i32 " + std::to_string(element.bytes);
  const bool reads = kind == Kind::Gather || kind == Kind::Load;
  const bool apart = kind == Kind::Gather || kind == Kind::Scatter;
  const std::string operation = kind == Kind::Gather    ? "gather"
                                : kind == Kind::Scatter ? "scatter"
                                : kind == Kind::Load    ? "load"
                                                        : "store";
  const std::string function = (reads ? vector : "void") + " @llvm.masked." + operation + "." +
                               name + (apart ? ".v" + count + "p0" : ".p0");
  const std::string where = apart ? pointers + " %pointers" : "ptr %data";
  const std::string type_of_where = apart ? pointers : "ptr";
  std::string calls, parameters;
  for (uint32_t k = 0; k < times; ++k) {
    const std::string loaded = "%loaded" + std::to_string(k);
    if (reads) {
      parameters = type_of_where + ", i32, " + mask + ", " + vector;
      calls += loaded + " = call " + function + "(" + where + ", " + aligned + ", " + mask +
               " %mask, " + vector + " %values)\nstore " + vector + " " + loaded +
               ", ptr %results, align 4\n";
      continue;
    }
    parameters = vector + ", " + type_of_where + ", i32, " + mask;
    calls += "call " + function + "(" + vector + " %values, " + where + ", " + aligned + ", " +
             mask + " %mask)\n";
  }
  return kernel("declare " + function + "(" + parameters + ")", lanes, element.type, calls);
}

enum class Lanes { Some, None, All };
enum class Places { Spread, One, Overlapping };

inline std::vector<uint32_t> contents(const Element& element, Lanes lanes, Places places) {
  std::vector<uint32_t> words(kWords);
  for (uint32_t w = 0; w < kWords; ++w) words[w] = 0x9e3779b9u * (w + 1);
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    words[kMask + lane] = lanes == Lanes::All || (lanes == Lanes::Some && lane % 3 != 1);
    const uint32_t index = places == Places::Spread ? (lane * 37 + 5) % kLanes
                           : places == Places::One  ? 7
                                                    : lane / 4;
    words[kOffsets + lane] = index * element.bytes;
  }
  return words;
}

// What the access leaves in memory: lanes in ascending order, so that the last of several wins.
inline std::vector<uint32_t> expected(Kind kind, const Element& element,
                                      std::vector<uint32_t> words, uint32_t lanes = kLanes) {
  auto* bytes = reinterpret_cast<std::byte*>(words.data());
  const bool reads = kind == Kind::Gather || kind == Kind::Load;
  for (uint32_t lane = 0; lane < lanes; ++lane) {
    const uint32_t in_vector = lane * element.bytes;
    const bool apart = kind == Kind::Gather || kind == Kind::Scatter;
    std::byte* data = bytes + 4 * kData + (apart ? words[kOffsets + lane] : in_vector);
    std::byte* value = bytes + 4 * kValues + in_vector;
    const bool live = words[kMask + lane] != 0;
    if (reads) {
      std::memcpy(bytes + 4 * kResults + in_vector, live ? data : value, element.bytes);
    } else if (live) {
      std::memcpy(data, value, element.bytes);
    }
  }
  return words;
}

}  // namespace jit::simt::wide_access
