// SPDX-License-Identifier: Apache-2.0

// Structures that are taken apart and put together, of every size: the same numbers at the same
// places, and no shuffle that collects a register from more than two.
#include "jit/passes/machine/structure_shuffles.h"

#include <gtest/gtest.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "tests/jit/ir/ir_kernel.h"

namespace jit {
namespace {

using test::IrModule;
using test::KernelMemory;

struct Shape {
  unsigned bits, elements, lanes;

  unsigned total() const { return elements * lanes; }
  unsigned words() const { return total() * bits / 32; }
  std::string vector(unsigned count) const {
    return "<" + std::to_string(count) + " x i" + std::to_string(bits) + ">";
  }
};

template <typename Of>
std::string mask(unsigned count, Of of) {
  std::string text = "<" + std::to_string(count) + " x i32> <";
  for (unsigned k = 0; k < count; ++k) text += (k == 0 ? "i32 " : ", i32 ") + std::to_string(of(k));
  return text + ">";
}

// Reads structures from word 0 on, multiplies element e of them by 2 e + 3, and stores them behind
// as vectors of elements and, if `joins`, as structures behind those. The last `unused` elements
// are left out. `source` makes %all, of which they are taken, of %all0; if empty, that is it.
std::string kernel(const Shape& shape, bool joins, unsigned unused, const std::string& source) {
  const std::string all = source.empty() ? "%all0" : "%all";
  const std::string whole = shape.vector(shape.total()), part = shape.vector(shape.lanes);
  std::string text =
      "define void @main(ptr %dispatch, ptr %memory, i32 %x, i32 %y, i32 %z) {\n"
      "%words = load ptr, ptr %dispatch\n%all0 = load " +
      whole + ", ptr %words, align 4\n" + source;
  auto to = [&](const std::string& name, unsigned word) {
    return "%" + name + ".to = getelementptr i32, ptr %words, i64 " + std::to_string(word) + "\n";
  };
  for (unsigned e = 0; e + unused < shape.elements; ++e) {
    const std::string n = std::to_string(e);
    text += "%e" + n + " = shufflevector " + whole + " " + all + ", " + whole + " poison, " +
            mask(shape.lanes, [&](unsigned l) { return l * shape.elements + e; }) + "\n%m" + n +
            " = mul " + part + " %e" + n + ", splat (i" + std::to_string(shape.bits) + " " +
            std::to_string(2 * e + 3) + ")\n" +
            to("m" + n, shape.words() + e * shape.lanes * shape.bits / 32) + "store " + part +
            " %m" + n + ", ptr %m" + n + ".to, align 4\n";
  }
  if (joins) {
    // Concatenated in pairs.
    std::vector<std::string> parts;
    for (unsigned e = 0; e < shape.elements; ++e) parts.push_back("%m" + std::to_string(e));
    for (unsigned length = shape.lanes; length < shape.total() / 2; length *= 2) {
      std::vector<std::string> pairs;
      for (size_t k = 0; k < parts.size(); k += 2) {
        pairs.push_back("%c" + std::to_string(length) + "." + std::to_string(k));
        text += pairs.back() + " = shufflevector " + shape.vector(length) + " " + parts[k] + ", " +
                shape.vector(length) + " " + parts[k + 1] + ", " +
                mask(2 * length, [](unsigned t) { return t; }) + "\n";
      }
      parts = pairs;
    }
    const std::string half = shape.vector(shape.total() / 2);
    text +=
        "%joined = shufflevector " + half + " " + parts[0] + ", " + half + " " + parts[1] + ", " +
        mask(shape.total(),
             [&](unsigned k) { return k % shape.elements * shape.lanes + k / shape.elements; }) +
        "\n" + to("joined", 2 * shape.words()) + "store " + whole +
        " %joined, ptr %joined.to, align 4\n";
  }
  return text + "ret void\n}\n";
}

// Whether the elements follow each other, as in a part of a vector, or two vectors in a row.
bool isSequence(llvm::ArrayRef<int> mask) {
  for (size_t t = 1; t < mask.size(); ++t)
    if (mask[t] != mask[t - 1] + 1) return false;
  return true;
}

std::vector<uint32_t> input(const Shape& shape) {
  std::vector<uint32_t> words(3 * shape.words());
  for (unsigned w = 0; w < words.size(); ++w) words[w] = (w + 1) * 0x9e3779b1u;
  return words;
}

// What the kernel is to leave of that.
std::vector<uint32_t> expected(const Shape& shape, bool joins, unsigned unused, bool is_changed) {
  std::vector<uint32_t> words = input(shape);
  const unsigned bytes = shape.bits / 8;
  auto* memory = reinterpret_cast<char*>(words.data());
  auto at = [&](unsigned index) { return memory + size_t{index} * bytes; };
  for (unsigned l = 0; l < shape.lanes; ++l) {
    for (unsigned e = 0; e + unused < shape.elements; ++e) {
      uint64_t number = 0;
      std::memcpy(&number, at(l * shape.elements + e), bytes);
      number = (number + is_changed) * (2 * e + 3);
      std::memcpy(at(shape.total() + e * shape.lanes + l), &number, bytes);
      if (joins) std::memcpy(at(2 * shape.total() + l * shape.elements + e), &number, bytes);
    }
  }
  return words;
}

// What it leaves with the pass, for registers of so many bytes.
std::vector<uint32_t> run(const Shape& shape, const std::string& text, unsigned vector_bytes) {
  IrModule module(text);
  llvm::Function& function = *module->getFunction("main");
  EXPECT_TRUE(splitStructureShuffles(function, vector_bytes)) << text;
  EXPECT_EQ(module.complaints(), "") << module.text();
  for (const llvm::Instruction& i : llvm::instructions(function)) {
    auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&i);
    if (shuffle == nullptr || isSequence(shuffle->getShuffleMask())) continue;
    EXPECT_LE(function.getDataLayout().getTypeStoreSize(shuffle->getType()).getFixedValue(),
              vector_bytes);
  }
  auto loaded = module.load("main");
  if (!loaded) {
    ADD_FAILURE() << llvm::toString(loaded.takeError());
    return {};
  }
  KernelMemory memory(3 * shape.words(), 0, 0);
  memory.words = input(shape);
  memory.run(*loaded);
  EXPECT_TRUE(memory.guardsAreIntact());
  return memory.words;
}

// Of what the elements are taken: what is loaded, or what is made of it.
std::string source(const Shape& shape, bool is_changed) {
  const std::string whole = shape.vector(shape.total());
  return is_changed
             ? "%all = add " + whole + " %all0, splat (i" + std::to_string(shape.bits) + " 1)\n"
             : "";
}

bool isSplit(const std::string& text, unsigned vector_bytes) {
  IrModule module(text);
  return splitStructureShuffles(*module->getFunction("main"), vector_bytes);
}

TEST(StructureShuffles, KeepEveryPlace) {
  for (const unsigned bits : {8, 16, 32, 64}) {
    for (const unsigned elements : {4, 8}) {
      for (const unsigned lanes : {8, 32}) {
        for (const unsigned vector_bytes : {16, 32, 64}) {
          const Shape shape{bits, elements, lanes};
          const unsigned register_lanes = std::min(lanes, 8 * vector_bytes / bits);
          if (shape.total() * bits / 8 <= vector_bytes || register_lanes * bits < 128 ||
              (bits == 8 && vector_bytes == 64))
            continue;
          for (const bool is_changed : {false, true}) {
            SCOPED_TRACE(testing::Message()
                         << elements << " of " << bits << " bits, " << lanes << " lanes, "
                         << vector_bytes << " bytes, changed: " << is_changed);
            EXPECT_EQ(run(shape, kernel(shape, true, 0, source(shape, is_changed)), vector_bytes),
                      expected(shape, true, 0, is_changed));
          }
        }
      }
    }
  }
}

TEST(StructureShuffles, HalfOfTheElementsAreEnough) {
  const Shape shape{32, 8, 32};
  for (const unsigned unused : {1, 4}) {
    const std::string text = kernel(shape, false, unused, source(shape, false));
    EXPECT_EQ(run(shape, text, 32), expected(shape, false, unused, false));
  }
  EXPECT_FALSE(isSplit(kernel(shape, false, 5, source(shape, false)), 32));
}

TEST(StructureShuffles, OthersStay) {
  // Two elements, three, and what is one register.
  for (const Shape shape : {Shape{32, 2, 32}, Shape{32, 3, 32}, Shape{16, 4, 4}})
    EXPECT_FALSE(isSplit(kernel(shape, false, 0, source(shape, false)), 32));
}

}  // namespace
}  // namespace jit
