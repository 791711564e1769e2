// SPDX-License-Identifier: Apache-2.0

// Memory for operand words that are made while reading; spans into it stay valid when it moves.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

namespace jit::spirv {

class WordArena {
 public:
  // `count` words of 0.
  std::span<uint32_t> allocate(size_t count) {
    if (chunks_.empty() || chunks_.back().capacity() - chunks_.back().size() < count) {
      chunks_.emplace_back();
      chunks_.back().reserve(std::max(count, kChunkWords));
    }
    std::vector<uint32_t>& chunk = chunks_.back();
    const size_t begin = chunk.size();
    chunk.resize(begin + count);
    return std::span(chunk).subspan(begin);
  }

  std::span<uint32_t> copy(std::span<const uint32_t> words) {
    std::span<uint32_t> result = allocate(words.size());
    std::copy(words.begin(), words.end(), result.begin());
    return result;
  }

  std::span<uint32_t> copy(std::initializer_list<uint32_t> words) {
    return copy(std::span(words.begin(), words.size()));
  }

  // Hands the memory over to `owner`.
  void moveTo(std::vector<std::vector<uint32_t>>& owner) {
    owner.insert(owner.end(), std::make_move_iterator(chunks_.begin()),
                 std::make_move_iterator(chunks_.end()));
    chunks_.clear();
  }

 private:
  static constexpr size_t kChunkWords = 4096;
  std::vector<std::vector<uint32_t>> chunks_;
};

}  // namespace jit::spirv
