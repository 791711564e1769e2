// SPDX-License-Identifier: Apache-2.0

// A variable of a random shader, and what the model has in it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace bounds {

enum class Memory {
  Workgroup,
  Function,
  Private,
  Table,        // an array of constants
  Push,         // push constants
  Descriptors,  // an array of them: the first index chooses a buffer
};

// An index, as text and as each invocation has it.
struct Index {
  std::string text;
  std::function<int64_t(uint32_t)> value;
  bool varies = false;
};

// An array of 32-bit words with one or more dimensions, of which the last may be a vector's.
struct Variable {
  Memory memory = Memory::Function;
  std::string name;
  std::vector<uint32_t> dimensions;
  bool of_vectors = false;
  bool same_for_all = false;  // what is in it, though each invocation may have its own
  std::vector<std::vector<uint32_t>> words;  // of each invocation, or of all; Descriptors: buffers

  bool isWritable() const { return memory != Memory::Table && memory != Memory::Push; }
  bool isLocal() const { return memory == Memory::Function || memory == Memory::Private; }
  uint32_t stride(size_t dimension) const {
    uint32_t count = 1;
    for (size_t k = dimension + 1; k < dimensions.size(); ++k) count *= dimensions[k];
    return count;
  }
  uint32_t size() const { return stride(0) * dimensions[0]; }

  // Where so many words are that an invocation's indices lead to; null: outside.
  uint32_t* at(uint32_t invocation, const std::vector<Index>& indices, uint32_t count) {
    std::vector<uint32_t>* memory_words = &words[isLocal() ? invocation : 0];
    size_t next = 0;
    if (memory == Memory::Descriptors) {
      const int64_t which = indices[0].value(invocation);
      if (which < 0 || which >= static_cast<int64_t>(words.size())) return nullptr;
      memory_words = &words[static_cast<size_t>(which)];
      next = 1;
    }
    int64_t place = 0;
    for (; next < indices.size(); ++next) place += indices[next].value(invocation) * stride(next);
    const int64_t last = static_cast<int64_t>(memory_words->size()) - count;
    return place < 0 || place > last ? nullptr : memory_words->data() + place;
  }
};

// What the shader calls the element, or the part of the variable, with these indices.
inline std::string at(const Variable& variable, const std::vector<Index>& indices) {
  std::string text = variable.name;
  for (size_t k = 0; k < indices.size(); ++k) {
    const bool descriptor = variable.memory == Memory::Descriptors && k == 0;
    text += descriptor && indices[k].varies ? "[nonuniformEXT(" + indices[k].text + ")]"
                                            : "[" + indices[k].text + "]";
    if (descriptor) text += ".words";
  }
  return text;
}

}  // namespace bounds
