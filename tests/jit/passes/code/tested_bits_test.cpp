// SPDX-License-Identifier: Apache-2.0

// What becomes constant behind random tests of a number is what it was: kernels with and without
// the pass write the same, whether a number passes the tests or not.
#include "jit/passes/code/tested_bits.h"

#include <gtest/gtest.h>
#include <llvm/Target/TargetMachine.h>

#include <random>

#include "jit/codegen/codegen.h"
#include "jit/pipeline/analyses.h"
#include "tests/jit/ir/ir_kernel.h"

namespace jit {
namespace {

using test::IrModule;
using test::KernelMemory;

constexpr unsigned kLanes = 4, kValues = 6, kNumbers = 64;

// Word 0 is the number x. Words 1 on are kLanes lanes of each of kValues values, where the tests
// have passed; and of one value elsewhere.
class RandomKernel {
 public:
  explicit RandomKernel(unsigned seed) : random_(seed) {}

  std::string text() {
    const std::string test = tests(below(3) + 1);
    line("%taken = freeze i1 " + test);
    const std::string before = taken(), behind = values();
    return "define void @kernel(ptr %dispatch, ptr %memory, i32 %wx, i32 %wy, i32 %wz) {\nentry:\n"
           "%words = load ptr, ptr %dispatch\n%x = load i32, ptr %words\n"
           "%s = insertelement <4 x i32> poison, i32 %x, i64 0\n"
           "%xs = shufflevector <4 x i32> %s, <4 x i32> poison, <4 x i32> zeroinitializer\n" +
           before + "br i1 %taken, label %yes, label %no\nyes:\n" + behind +
           "ret void\nno:\n%at = getelementptr i32, ptr %words, i64 1\n"
           "%other = and i32 %x, 255\nstore i32 %other, ptr %at\nret void\n}\n";
  }

 private:
  uint32_t below(uint32_t limit) { return static_cast<uint32_t>(random_() % limit); }
  static std::string number(uint32_t n) { return std::to_string(static_cast<int32_t>(n)); }
  std::string name() { return "%v" + std::to_string(count_++); }
  void line(const std::string& text) { lines_ += text + "\n"; }
  std::string defined(const std::string& operation) {
    std::string result = name();
    line(result + " = " + operation);
    return result;
  }
  std::string taken() { return std::exchange(lines_, ""); }

  // Fields of a number, in bits that the numbers of the test have.
  std::string field() {
    const uint32_t mask = ((1u << (below(4) + 1)) - 1) << below(6);
    if (below(3) == 0) return defined("lshr i32 %x, " + number(below(8)));
    return defined("and i32 %x, " + number(mask));
  }
  std::string comparison() {
    switch (below(5)) {
      case 3:
        return defined("icmp sgt i32 %x, -1");
      case 0:
        return defined("icmp ult i32 %x, " + number(1 + below(300)));
      case 1: {
        const std::string both = defined("or i32 " + field() + ", " + field());
        return defined("icmp eq i32 " + both + ", 0");
      }
      case 2:
        return defined("icmp ule i32 " + field() + ", " + number(below(4)));
      default:
        return defined("icmp eq i32 " + field() + ", " + number(below(2) * (1u << below(7))));
    }
  }
  std::string tests(uint32_t count) {
    std::string all = comparison();
    while (--count != 0) {
      const std::string other = comparison();
      all = below(2) != 0 ? defined("and i1 " + all + ", " + other)
                          : defined("select i1 " + all + ", i1 " + other + ", i1 false");
    }
    return all;
  }

  std::string splat(uint32_t n) { return "splat (i32 " + number(n) + ")"; }
  std::string constant() {
    if (below(2) != 0) return splat(below(64));
    const uint32_t step = 1u << below(6);
    std::string text = "<";
    for (uint32_t lane = 0; lane < kLanes; ++lane)
      text += (lane != 0 ? ", i32 " : "i32 ") + number(lane * step);
    return text + ">";
  }
  std::string values() {
    for (unsigned v = 0; v < kValues; ++v) {
      std::string value = "%xs";
      for (uint32_t step = below(5) + 1; step != 0; --step) value = computed(value);
      const std::string at =
          defined("getelementptr i32, ptr %words, i64 " + std::to_string(1 + v * kLanes));
      line("store <4 x i32> " + value + ", ptr " + at + ", align 4");
    }
    return taken();
  }
  std::string computed(const std::string& value) {
    const char* const plain[] = {"add", "sub", "mul", "and", "or", "xor"};
    const char* const shifts[] = {"shl", "lshr", "ashr"};
    switch (below(6)) {
      case 3:
        return defined((below(2) != 0 ? "sdiv <4 x i32> " : "srem <4 x i32> ") + value + ", " +
                       splat((1u << below(7)) * (below(2) != 0 ? 1 : ~0u)));
      case 0:
        return defined(std::string(shifts[below(3)]) + " <4 x i32> " + value + ", " +
                       splat(below(8)));
      case 1: {
        const std::string narrow = defined("trunc <4 x i32> " + value + " to <4 x i8>");
        return defined((below(2) != 0 ? "zext <4 x i8> " : "sext <4 x i8> ") + narrow +
                       " to <4 x i32>");
      }
      case 2: {
        const char* const predicates[] = {"eq", "ult", "sgt"};
        const std::string bits = defined(std::string("icmp ") + predicates[below(3)] +
                                         " <4 x i32> " + value + ", " + constant());
        return defined("zext <4 x i1> " + bits + " to <4 x i32>");
      }
      default:
        return defined(std::string(plain[below(6)]) + " <4 x i32> " + value + ", " + constant());
    }
  }

  std::mt19937 random_;
  std::string lines_;
  unsigned count_ = 0;
};

std::vector<std::vector<uint32_t>> resultsOf(IrModule& module) {
  std::vector<std::vector<uint32_t>> results;
  llvm::Expected<LoadedKernel> kernel = module.load("kernel");
  if (!kernel) {
    ADD_FAILURE() << llvm::toString(kernel.takeError());
    return results;
  }
  KernelMemory memory(1 + kValues * kLanes, 0, 0);
  for (uint32_t n = 0; n < kNumbers; ++n) {
    memory.words.assign(memory.words.size(), 0);
    memory.words[0] = n < kNumbers / 2 ? n * 8 : n * 0x01010101u;
    memory.run(*kernel);
    results.push_back(memory.words);
  }
  return results;
}

TEST(TestedBits, RandomTestsAndValues) {
  const std::unique_ptr<llvm::TargetMachine> machine =
      llvm::cantFail(createTargetMachine(makeTarget(rt::hostIsa())));
  unsigned folded = 0;
  for (unsigned seed = 0; seed < 100; ++seed) {
    const std::string text = RandomKernel(seed).text();
    SCOPED_TRACE(text);
    IrModule before(text), after(text);
    Analyses analyses(*machine);
    folded += foldTestedBits(*after->getFunction("kernel"), analyses.functions());
    ASSERT_EQ(after.complaints(), "");
    ASSERT_EQ(resultsOf(before), resultsOf(after)) << "seed " << seed;
  }
  EXPECT_GE(folded, 50u) << "the tests hardly ever settle a value";
}

}  // namespace
}  // namespace jit
