// SPDX-License-Identifier: Apache-2.0

#include "jit/simt/transpose.h"

#include <bit>
#include <utility>

namespace jit::ukernel {
namespace {

using llvm::Value;

uint32_t length(Value* vector) {
  return llvm::cast<llvm::FixedVectorType>(vector->getType())->getNumElements();
}

// `first` and `second`, which may be shorter, as one.
Value* append(llvm::IRBuilderBase& builder, Value* first, Value* second) {
  const uint32_t count = length(first), rest = length(second);
  llvm::SmallVector<int> mask;
  for (uint32_t i = 0; i < count; ++i) mask.push_back(i < rest ? static_cast<int>(i) : -1);
  Value* padded = rest == count ? second : builder.CreateShuffleVector(second, mask);
  mask.clear();
  for (uint32_t i = 0; i < count + rest; ++i) mask.push_back(static_cast<int>(i));
  return builder.CreateShuffleVector(first, padded, mask);
}

// The same elements in the same order in vectors of `count`; one length divides the other.
llvm::SmallVector<Value*> regroup(llvm::IRBuilderBase& builder, llvm::ArrayRef<Value*> vectors,
                                  uint32_t count) {
  llvm::SmallVector<Value*> result;
  uint32_t from = length(vectors.front());
  if (from >= count) {
    for (Value* vector : vectors) {
      for (uint32_t i = 0; i < from; i += count) {
        result.push_back(slice(builder, vector, i, count));
      }
    }
    return result;
  }
  for (size_t i = 0; i < vectors.size(); i += count / from) {
    result.push_back(concatenate(builder, vectors.slice(i, count / from)));
  }
  return result;
}

}  // namespace

Value* concatenate(llvm::IRBuilderBase& builder, llvm::ArrayRef<Value*> vectors) {
  llvm::SmallVector<Value*> parts(vectors);
  while (parts.size() > 1 && parts.size() % 2 == 0) {
    uint32_t count = length(parts.front());
    llvm::SmallVector<int> mask;
    for (uint32_t i = 0; i < 2 * count; ++i) mask.push_back(static_cast<int>(i));
    llvm::SmallVector<Value*> pairs;
    for (size_t i = 0; i < parts.size(); i += 2) {
      pairs.push_back(builder.CreateShuffleVector(parts[i], parts[i + 1], mask));
    }
    parts = std::move(pairs);
  }
  if (parts.size() == 1) return parts.front();
  // An odd number: each part goes to its position in the whole.
  uint32_t count = length(parts.front());
  uint32_t total = count * static_cast<uint32_t>(parts.size());
  auto* type = llvm::FixedVectorType::get(parts.front()->getType()->getScalarType(), total);
  Value* whole = llvm::PoisonValue::get(type);
  for (size_t i = 0; i < parts.size(); ++i) {
    whole = builder.CreateInsertVector(type, whole, parts[i], builder.getInt64(i * count));
  }
  return whole;
}

Value* slice(llvm::IRBuilderBase& builder, Value* vector, uint32_t first, uint32_t count) {
  if (first == 0 && count == length(vector)) return vector;
  llvm::SmallVector<int> mask;
  for (uint32_t i = 0; i < count; ++i) mask.push_back(static_cast<int>(first + i));
  return builder.CreateShuffleVector(vector, mask);
}

Value* padWithZeros(llvm::IRBuilderBase& builder, Value* vector, uint32_t count) {
  uint32_t from = length(vector);
  if (from == count) return vector;
  llvm::SmallVector<int> mask;
  for (uint32_t i = 0; i < count; ++i) mask.push_back(static_cast<int>(std::min(i, from)));
  return builder.CreateShuffleVector(vector, llvm::Constant::getNullValue(vector->getType()), mask);
}

Value* interleave(llvm::IRBuilderBase& builder, llvm::ArrayRef<Value*> lines) {
  uint32_t count = length(lines.front());
  auto n = static_cast<uint32_t>(lines.size());
  if (n == 1) return lines.front();
  Value* whole = concatenate(builder, lines);
  llvm::SmallVector<int> mask;
  if (n == 4 && count % 4 == 0 && lines.front()->getType()->getScalarSizeInBits() == 8) {
    // In two: quads of bytes to their 128-bit lane, then bytes within the lane. One shuffle of
    // bytes across lanes would be taken apart badly where there is no instruction for it. Where
    // there is (AVX512-VBMI), LLVM makes one of the two.
    auto* quads = llvm::FixedVectorType::get(builder.getInt32Ty(), count);
    for (uint32_t lane = 0; lane < count / 4; ++lane) {
      for (uint32_t line = 0; line < 4; ++line) {
        mask.push_back(static_cast<int>(line * (count / 4) + lane));
      }
    }
    Value* gathered = builder.CreateShuffleVector(builder.CreateBitCast(whole, quads), mask);
    whole = builder.CreateBitCast(gathered, whole->getType());
    mask.clear();
    for (uint32_t i = 0; i < 4 * count; ++i) {
      mask.push_back(static_cast<int>(i / 16 * 16 + i % 4 * 4 + i % 16 / 4));
    }
    return builder.CreateShuffleVector(whole, mask);
  }
  for (uint32_t i = 0; i < count; ++i) {
    for (uint32_t line = 0; line < n; ++line) mask.push_back(static_cast<int>(line * count + i));
  }
  return builder.CreateShuffleVector(whole, mask);
}

llvm::SmallVector<Value*> transpose(llvm::IRBuilderBase& builder, llvm::ArrayRef<Value*> lines,
                                    uint32_t vector_bytes) {
  auto rows = static_cast<uint32_t>(lines.size());
  uint32_t columns = length(lines.front());
  uint32_t element_bytes = lines.front()->getType()->getScalarSizeInBits() / 8;
  uint32_t width = vector_bytes / element_bytes;
  llvm::SmallVector<Value*> result;
  // Other tiles in two parts, the first of which has a power of two of columns, or of rows.
  if (const uint32_t part = std::bit_floor(columns); part != columns) {
    for (const auto& [first, count] : {std::pair(0u, part), std::pair(part, columns - part)}) {
      llvm::SmallVector<Value*> parts;
      for (Value* line : lines) parts.push_back(slice(builder, line, first, count));
      result.append(transpose(builder, parts, vector_bytes));
    }
    return result;
  }
  if (const uint32_t part = std::bit_floor(rows); part != rows) {
    auto upper = transpose(builder, lines.take_front(part), vector_bytes);
    auto lower = transpose(builder, lines.drop_front(part), vector_bytes);
    for (uint32_t c = 0; c < columns; ++c) result.push_back(append(builder, upper[c], lower[c]));
    return result;
  }
  if (uint64_t{rows} * columns < 2 * uint64_t{width}) {
    Value* whole = interleave(builder, lines);
    for (uint32_t c = 0; c < columns; ++c) result.push_back(slice(builder, whole, c * rows, rows));
    return result;
  }
  // Element (r, c) is at index r * columns + c of the flat tile and goes to c * rows + r: a
  // rotation of the index's bits. Interleaving the two halves of the tile rotates them by one.
  llvm::SmallVector<Value*> flat = regroup(builder, lines, width);
  llvm::SmallVector<int> low, high;
  for (uint32_t i = 0; i < width; ++i) {
    low.push_back(static_cast<int>(i / 2 + i % 2 * width));
    high.push_back(low.back() + static_cast<int>(width / 2));
  }
  for (uint32_t stage = 1; stage < rows; stage *= 2) {
    llvm::SmallVector<Value*> next;
    size_t half = flat.size() / 2;
    for (size_t i = 0; i < half; ++i) {
      next.push_back(builder.CreateShuffleVector(flat[i], flat[i + half], low));
      next.push_back(builder.CreateShuffleVector(flat[i], flat[i + half], high));
    }
    flat = std::move(next);
  }
  return regroup(builder, flat, rows);
}

}  // namespace jit::ukernel
