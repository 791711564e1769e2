// SPDX-License-Identifier: Apache-2.0

// Which masked accesses become loops on which machines, and that the loops read and write the same
// places. Vectors of 128 elements in the memory below, unless said otherwise.
#include "jit/passes/access/wide_access.h"

#include <gtest/gtest.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Target/TargetMachine.h>

#include <optional>

#include "jit/codegen/codegen.h"
#include "jit/passes/access/masked_access.h"
#include "jit/pipeline/analyses.h"
#include "tests/jit/ir/ir_kernel.h"
#include "tests/jit/passes/access/wide_access_kernels.h"

namespace jit::simt {
namespace {

using namespace wide_access;

using test::IrModule;
using test::KernelMemory;

// The architecture's baseline, and more.
Target machine(const std::string& features) {
  Target target = makeTarget(rt::Isa::Reference);
  target.feature_string += features;
  return target;
}
const std::string kBaseline, kAvx2 = ",+avx2", kGathers = ",+avx2,+fast-gather",
                             kAvx512 = ",+avx512f,+avx512bw,+avx512vl";

// Makes loops of what the machine lacks; how many there are.
int loops(IrModule& module, const std::string& features, unsigned most_branches = 64) {
  auto target = createTargetMachine(machine(features));
  if (!target) {
    ADD_FAILURE() << llvm::toString(target.takeError());
    return -1;
  }
  Analyses analyses(**target);
  llvm::Function& function = *module->getFunction("main");
  auto count = [&](auto matches) {
    int found = 0;
    for (llvm::Instruction& instruction : llvm::instructions(function))
      found += matches(instruction);
    return found;
  };
  auto isLoop = [](llvm::Instruction& i) {  // over the bits that are set of a word
    auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
    return call && call->getIntrinsicID() == llvm::Intrinsic::cttz;
  };
  auto isAccess = [](llvm::Instruction& i) { return matchMaskedAccess(i).has_value(); };
  const int accesses = count(isAccess), loops_before = count(isLoop);
  const bool changed = loopOverWideAccesses(
      function, analyses.functions().getResult<llvm::TargetIRAnalysis>(function), most_branches);
  EXPECT_EQ(module.complaints(), "") << module.text();
  const int made = accesses - count(isAccess);
  EXPECT_EQ(changed, made != 0);
  EXPECT_EQ(count(isLoop) - loops_before, made) << module.text();
  return made;
}

std::optional<LoadedKernel> compiled(const std::string& text, unsigned most_branches = 64) {
  IrModule module(text);
  EXPECT_GT(loops(module, kBaseline, most_branches), 0);
  auto loaded = module.load("main", machine(kBaseline));
  if (loaded) return std::move(*loaded);
  ADD_FAILURE() << llvm::toString(loaded.takeError());
  return std::nullopt;
}

std::vector<uint32_t> run(const LoadedKernel& loaded, const std::vector<uint32_t>& words) {
  KernelMemory memory(kWords, 0, 0);
  memory.words = words;
  memory.run(loaded);
  return memory.words;
}

TEST(WideAccess, LoopsAccessTheSamePlaces) {
  for (Kind kind : {Kind::Gather, Kind::Scatter, Kind::Load, Kind::Store})
    for (const Element& element : {kByte, kHalf, kWord, kFloat, kLong, kPointer}) {
      SCOPED_TRACE("kind " + std::to_string(static_cast<int>(kind)) + " of " + element.type);
      const auto loaded = compiled(kernel(kind, element));
      if (!loaded) continue;
      for (Lanes lanes : {Lanes::Some, Lanes::None, Lanes::All})
        for (Places places : {Places::Spread, Places::One, Places::Overlapping}) {
          const std::vector<uint32_t> words = contents(element, lanes, places);
          EXPECT_EQ(run(*loaded, words), expected(kind, element, words))
              << "lanes " << static_cast<int>(lanes) << ", places " << static_cast<int>(places);
        }
    }
}

// Less than a word of liveness, a whole one, and more.
TEST(WideAccess, AnyNumberOfLanes) {
  for (Kind kind : {Kind::Gather, Kind::Scatter, Kind::Load, Kind::Store})
    for (uint32_t lanes : {3u, 8u, 32u, 64u, 65u, 100u, 128u}) {
      SCOPED_TRACE("kind " + std::to_string(static_cast<int>(kind)) + ", lanes " +
                   std::to_string(lanes));
      const auto loaded = compiled(kernel(kind, kWord, lanes), /*most_branches=*/2);
      if (!loaded) continue;
      for (Lanes live : {Lanes::Some, Lanes::None, Lanes::All}) {
        const std::vector<uint32_t> words = contents(kWord, live, Places::Spread);
        EXPECT_EQ(run(*loaded, words), expected(kind, kWord, words, lanes))
            << "lanes " << static_cast<int>(live);
      }
    }
}

// A lane that may be live or not has no say in what the others do.
TEST(WideAccess, LanesWithoutLivenessSpoilNoOthers) {
  std::string text = kernel(Kind::Scatter, kWord, 32);
  const std::string mask = "%mask = icmp ne", known = "%known = icmp ne";
  text.replace(text.find(mask), mask.size(), known);
  const size_t call = text.find("call void");
  text.insert(call,
              "%mask = shufflevector <32 x i1> %known, <32 x i1> poison, <32 x i32> "
              "<i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, "
              "i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, "
              "i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, "
              "i32 poison>\n");
  const auto loaded = compiled(text, /*most_branches=*/2);
  ASSERT_TRUE(loaded);
  const std::vector<uint32_t> words = contents(kWord, Lanes::Some, Places::Spread);
  std::vector<uint32_t> got = run(*loaded, words), want = expected(Kind::Scatter, kWord, words, 31);
  const uint32_t unknown = kData + words[kOffsets + 31] / 4;
  got[unknown] = want[unknown];
  EXPECT_EQ(got, want);
}

TEST(WideAccess, ManyShareTheirLoops) {
  for (uint32_t lanes : {32u, kLanes})
    for (Kind kind : {Kind::Gather, Kind::Scatter, Kind::Load, Kind::Store})
      for (const Element& element : {kByte, kHalf, kWord, kFloat, kLong, kPointer}) {
        SCOPED_TRACE("kind " + std::to_string(static_cast<int>(kind)) + " of " + element.type +
                     ", lanes " + std::to_string(lanes));
        IrModule module(kernel(kind, element, lanes, kMostLaneBranches / lanes + 1));
        auto target = createTargetMachine(machine(kBaseline));
        ASSERT_TRUE(bool(target)) << llvm::toString(target.takeError());
        Analyses analyses(**target);
        llvm::Function& function = *module->getFunction("main");
        EXPECT_TRUE(loopOverWideAccesses(
            function, analyses.functions().getResult<llvm::TargetIRAnalysis>(function),
            /*most_branches=*/kLanes));
        EXPECT_EQ(module.complaints(), "") << module.text();
        EXPECT_EQ(function.size(), 1u) << module.text();
        EXPECT_EQ(llvm::count_if(*module,
                                 [](const llvm::Function& f) {
                                   return !f.isDeclaration() && f.hasInternalLinkage();
                                 }),
                  1);
        auto loaded = module.load("main", machine(kBaseline));
        ASSERT_TRUE(bool(loaded)) << llvm::toString(loaded.takeError());
        for (Lanes live : {Lanes::Some, Lanes::None, Lanes::All})
          for (Places places : {Places::Spread, Places::One, Places::Overlapping}) {
            const std::vector<uint32_t> words = contents(element, live, places);
            EXPECT_EQ(run(*loaded, words), expected(kind, element, words, lanes))
                << "lanes " << static_cast<int>(live) << ", places " << static_cast<int>(places);
          }
      }
}

constexpr char kGather[] =
    "declare <128 x i32> @llvm.masked.gather.v128i32.v128p0"
    "(<128 x ptr>, i32, <128 x i1>, <128 x i32>)";

// Two accesses: each lane loads an offset that tells where it loads from.
std::string chain() {
  return kernel(kGather, kLanes, "i32", R"(
        %first = call <128 x i32> @llvm.masked.gather.v128i32.v128p0(<128 x ptr> %pointers, i32 4, <128 x i1> %mask, <128 x i32> zeroinitializer)
        %again = getelementptr i8, ptr %data, <128 x i32> %first
        %second = call <128 x i32> @llvm.masked.gather.v128i32.v128p0(<128 x ptr> %again, i32 4, <128 x i1> %mask, <128 x i32> %first)
        store <128 x i32> %second, ptr %results, align 4
        )");
}

TEST(WideAccess, OneTakesWhatAnotherGave) {
  const auto loaded = compiled(chain());
  ASSERT_TRUE(loaded);
  std::vector<uint32_t> words = contents(kWord, Lanes::Some, Places::Spread);
  for (uint32_t k = 0; k < kLanes; ++k) words[kData + k] = 4 * ((k * 11 + 3) % kLanes);
  const std::vector<uint32_t> after = run(*loaded, words);
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    const uint32_t first = words[kData + words[kOffsets + lane] / 4];
    EXPECT_EQ(after[kResults + lane], words[kMask + lane] == 0 ? 0 : words[kData + first / 4]);
  }
}

TEST(WideAccess, MachinesKeepWhatTheyHave) {
  struct Row {
    Kind kind;
    Element element;
    bool baseline, avx2, gathers, avx512;  // whether it becomes a loop
  };
  const Row rows[] = {
      {Kind::Gather, kWord, true, true, false, false},
      {Kind::Gather, kLong, true, true, false, false},
      {Kind::Gather, kByte, true, true, true, true},
      {Kind::Scatter, kWord, true, true, true, false},
      {Kind::Scatter, kHalf, true, true, true, true},
      {Kind::Load, kWord, true, false, false, false},
      {Kind::Load, kByte, true, true, true, false},
      {Kind::Store, kFloat, true, false, false, false},
      {Kind::Store, kHalf, true, true, true, false},
  };
  for (const Row& row : rows) {
    for (const auto& [features, is_loop] : {std::pair{kBaseline, row.baseline},
                                            {kAvx2, row.avx2},
                                            {kGathers, row.gathers},
                                            {kAvx512, row.avx512}}) {
      IrModule module(kernel(row.kind, row.element));
      EXPECT_EQ(loops(module, features), is_loop ? 1 : 0)
          << "kind " << static_cast<int>(row.kind) << " of " << row.element.type << " with '"
          << features << "'";
    }
  }
}

TEST(WideAccess, BlocksAroundGoOn) {
  // The sum of what three rounds load, each from where the one before says.
  const auto loaded = compiled(kernel(kGather, kLanes, "i32", R"(
        br label %round
      round:
        %i = phi i32 [ 0, %entry ], [ %i.next, %round ]
        %at = phi <128 x ptr> [ %pointers, %entry ], [ %at.next, %round ]
        %sum = phi <128 x i32> [ zeroinitializer, %entry ], [ %sum.next, %round ]
        %loaded = call <128 x i32> @llvm.masked.gather.v128i32.v128p0(<128 x ptr> %at, i32 4, <128 x i1> %mask, <128 x i32> zeroinitializer)
        %sum.next = add <128 x i32> %sum, %loaded
        %at.next = getelementptr i8, ptr %data, <128 x i32> %loaded
        %i.next = add i32 %i, 1
        %more = icmp ult i32 %i.next, 3
        br i1 %more, label %round, label %exit
      exit:
        %all = phi <128 x i32> [ %sum.next, %round ]
        store <128 x i32> %all, ptr %results, align 4
        )"));
  ASSERT_TRUE(loaded);
  std::vector<uint32_t> words = contents(kWord, Lanes::Some, Places::Spread);
  for (uint32_t k = 0; k < kLanes; ++k) words[kData + k] = 4 * ((k * 11 + 3) % kLanes);
  const std::vector<uint32_t> after = run(*loaded, words);
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    uint32_t sum = 0, offset = words[kOffsets + lane];
    for (int round = 0; round < 3 && words[kMask + lane] != 0; ++round)
      sum += offset = words[kData + offset / 4];
    EXPECT_EQ(after[kResults + lane], sum) << lane;
  }
}

}  // namespace
}  // namespace jit::simt
