// SPDX-License-Identifier: Apache-2.0

// The tests' own tools: numbers, expressions, reading kernel files, and noticing wrong results.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <tuple>

#include "tests/support/kernel_check.h"
#include "tests/support/kernel_difference.h"
#include "tests/support/kernel_file.h"
#include "tests/support/shader_compiler.h"

namespace kernels {
namespace {

TEST(ElementTypeTest, EveryNarrowFloatSurvivesDecodingAndEncoding) {
  for (ElementType type :
       {ElementType::F16, ElementType::BF16, ElementType::E4M3, ElementType::E5M2}) {
    for (uint32_t bits = 0; bits < 1u << elementInfo(type).bits; ++bits) {
      const Value value = decode(type, bits);
      if (std::isnan(value.real)) {
        EXPECT_TRUE(std::isnan(decode(type, encode(type, value)).real)) << bits;
      } else {
        EXPECT_EQ(encode(type, value), bits) << elementInfo(type).name;
      }
    }
  }
}

TEST(ElementTypeTest, FloatsRoundToNearestEven) {
  EXPECT_EQ(encode(ElementType::F16, Value::of(2049.0)),
            encode(ElementType::F16, Value::of(2048.0)));
  EXPECT_EQ(encode(ElementType::F16, Value::of(2051.0)),
            encode(ElementType::F16, Value::of(2052.0)));
  EXPECT_EQ(encode(ElementType::F16, Value::of(65519.0)), 0x7bffu);
  EXPECT_EQ(encode(ElementType::F16, Value::of(65520.0)), 0x7c00u);
  EXPECT_EQ(encode(ElementType::F16, Value::of(0x1p-25)), 0u);
  EXPECT_EQ(encode(ElementType::F16, Value::of(0x1.8p-25)), 1u);
  EXPECT_EQ(encode(ElementType::BF16, Value::of(1.00390625)), 0x3f80u);
  EXPECT_EQ(encode(ElementType::E4M3, Value::of(448.0)), 0x7eu);
  EXPECT_EQ(encode(ElementType::E4M3, Value::of(1000.0)), 0x7fu);
  EXPECT_EQ(encode(ElementType::E5M2, Value::of(1e6)), 0x7cu);
}

TEST(ElementTypeTest, IntegersWrap) {
  EXPECT_EQ(encode(ElementType::S8, Value::of(Int128{-1})), 0xffu);
  EXPECT_EQ(encode(ElementType::U8, Value::of(Int128{300})), 44u);
  EXPECT_EQ(static_cast<int>(decode(ElementType::S16, 0x8000).integer), -32768);
}

Value evaluate(const std::string& text, Int128 index = 0) {
  Lexer lexer(text, "test");
  const Expression expression = parseExpression(lexer, ExpressionNames{});
  lexer.expectEnd();
  Scope scope;
  scope.variables = {index, 0};
  return expression(scope);
}

TEST(ExpressionTest, FollowsCPrecedence) {
  EXPECT_EQ(static_cast<int>(evaluate("1 + 2 * 3 << 1 & 0xff").integer), 14);
  EXPECT_EQ(static_cast<int>(evaluate("7 / 2 * 2 == 6 ? -3 % 2 : 9").integer), -1);
  EXPECT_EQ(evaluate("7 / 2.0").real, 3.5);
  EXPECT_EQ(static_cast<int>(evaluate("sum(k, 0, 4, sum(j, 0, k, j))").integer), 4);
  EXPECT_EQ(evaluate("f16(2049)").real, 2048);
  EXPECT_EQ(static_cast<int>(evaluate("i * 2", 21).integer), 42);
}

TEST(ExpressionTest, RandomDependsOnIndexAndSeed) {
  for (int index = 0; index < 100; ++index) {
    const Int128 value = evaluate("random(-3, 3, 1)", index).integer;
    EXPECT_TRUE(value >= -3 && value <= 3);
    EXPECT_EQ(static_cast<int>(value),
              static_cast<int>(evaluate("random(-3, 3, 1)", index).integer));
  }
  EXPECT_NE(evaluate("random(0.0, 1.0, 1)").real, evaluate("random(0.0, 1.0, 2)").real);
}

KernelSource source(std::vector<std::string> lines) {
  KernelSource source;
  source.path = "test.comp";
  for (std::string& line : lines) {
    const uint32_t number = static_cast<uint32_t>(source.directives.size() + 1);
    source.directives.push_back({std::move(line), number});
  }
  return source;
}

std::string parseError(std::vector<std::string> lines) {
  try {
    parseKernel(source(std::move(lines)));
  } catch (const FormatError& error) {
    return error.what();
  }
  return "no error";
}

TEST(KernelFileTest, MessagesNameFileAndLine) {
  EXPECT_THAT(parseError({"dispatch 1", "expct a = 1"}),
              testing::HasSubstr("test.comp:2: no directive 'expct'"));
  EXPECT_THAT(parseError({"buffer a f33[4] binding 0"}),
              testing::HasSubstr("test.comp:1: no type"));
  EXPECT_THAT(parseError({"buffer a f32[4] binding 0", "dispatch 1", "expect a[2..9] = 1"}),
              testing::HasSubstr("test.comp:3: range outside"));
  EXPECT_THAT(parseError({"buffer a f32[4] binding 0", "dispatch 1", "expect a = b[i]"}),
              testing::HasSubstr("'b' is neither"));
  EXPECT_THAT(parseError({"buffer a f32[4] binding 0", "dispatch 1"}),
              testing::HasSubstr("nothing is expected"));
}

TEST(KernelFileTest, PeersStandForExpectations) {
  const Kernel kernel =
      parseKernel(source({"buffer a f32[4] binding 0", "dispatch 1", "peer within 1e-5 rel or 2"}));
  ASSERT_TRUE(kernel.peer);
  EXPECT_EQ(kernel.peer->relative, 1e-5);
  EXPECT_EQ(kernel.peer->absolute, 2);
}

TEST(KernelFileTest, MessagesFollowEachOtherAsOrdersSay) {
  auto failures = [](const std::string& order) {
    return checkPrints(
        parseKernel(source({"dispatch 1", "prints \"^[ab] [0-9]$\" times 3", order})),
        {"a 1", "b 1", "a 2"});
  };
  EXPECT_THAT(failures("order \"a 1\" \"b 1\" \"a 2\""), testing::IsEmpty());
  EXPECT_THAT(failures("order \"a\" \"a\""), testing::IsEmpty());
  EXPECT_THAT(
      failures("order \"a 2\" \"b 1\""),
      testing::ElementsAre(testing::HasSubstr("test.comp:3: no message that matches \"b 1\"")));
  EXPECT_THAT(failures("order \"b\" \"b\""), testing::SizeIs(1));
  EXPECT_THAT(parseError({"order"}), testing::HasSubstr("test.comp:1"));
}

TEST(ShaderCompilerTest, IncludedFilesLieInTheFolder) {
  const std::filesystem::path folder = testing::TempDir() + "/included";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "seven.glsl") << "const uint kSeven = 7;\n";
  auto compile = [&](const std::string& name, const host::GlslOptions& options) -> std::string {
    try {
      host::compileGlsl(
          "#version 450\n#extension GL_GOOGLE_include_directive : require\n"
          "#include \"" +
              name +
              "\"\n"
              "layout(binding = 0) buffer B { uint b; };\nvoid main() { b = kSeven; }\n",
          "test.comp", options);
    } catch (const host::ShaderError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(compile("seven.glsl", {.include_folder = folder}), "no error");
  EXPECT_THAT(compile("eight.glsl", {.include_folder = folder}), testing::HasSubstr("eight.glsl"));
  EXPECT_THAT(compile("seven.glsl", {}), testing::HasSubstr("seven.glsl"));
}

TEST(KernelFileTest, MatricesAreRequiredWithTheirHolders) {
  const Kernel kernel = parseKernel(
      source({"buffer a f32[4] binding 0", "dispatch 1", "expect a = 1",
              ("require matrix 16 24 32 s8 u8 s32 u32 saturating invocations 128 cooperativeMatrix "
               "matrix 8 8 16 f16 f16 f16 f16 matrix 8 8 8 f16 f16 f32 f32 invocations 0"),
              ("require matrix_type 48 / 2 80 A f16 matrix_type 16 32 B e4m3 invocations 256 "
               "matrix_type 8 16 Accumulator f32 shaderInt8")}));
  const std::vector<MatrixRequirement>& matrices = kernel.requirements.matrices;
  ASSERT_EQ(matrices.size(), 3u);
  const MatrixRequirement& first = matrices[0];
  EXPECT_EQ(std::tuple(first.m, first.n, first.k), std::tuple(16u, 24u, 32u));
  EXPECT_EQ(std::tuple(first.a, first.b, first.c, first.result),
            std::tuple(ElementType::S8, ElementType::U8, ElementType::S32, ElementType::U32));
  EXPECT_TRUE(first.saturating);
  EXPECT_EQ(first.invocations, 128u);
  EXPECT_FALSE(matrices[1].saturating);
  EXPECT_EQ(matrices[1].invocations, 0u);
  EXPECT_EQ(matrices[2].invocations, 0u);

  const std::vector<MatrixTypeRequirement>& types = kernel.requirements.matrix_types;
  auto members = [](const MatrixTypeRequirement& t) {
    return std::tuple(t.rows, t.columns, t.use, t.type, t.invocations);
  };
  ASSERT_EQ(types.size(), 3u);
  EXPECT_EQ(members(types[0]), std::tuple(24u, 80u, MatrixUse::A, ElementType::F16, 0u));
  EXPECT_EQ(members(types[1]), std::tuple(16u, 32u, MatrixUse::B, ElementType::E4M3, 256u));
  EXPECT_EQ(members(types[2]), std::tuple(8u, 16u, MatrixUse::Accumulator, ElementType::F32, 0u));
  EXPECT_THAT(kernel.requirements.names, testing::ElementsAre("cooperativeMatrix", "shaderInt8"));

  EXPECT_THAT(parseError({"require matrix_type 16 16 C f16"}),
              testing::HasSubstr("test.comp:1: expected 'A', 'B' or 'Accumulator', found 'C'"));
  EXPECT_THAT(parseError({"require matrix_type 16 A f16"}), testing::HasSubstr("test.comp:1: "));
  EXPECT_THAT(parseError({"require matrix 16 16 16 f16 f16 f32"}),
              testing::HasSubstr("expected a type"));
  EXPECT_THAT(parseError({"require matrix 16 16 16 f16 f16 f32 f32 invocations"}),
              testing::HasSubstr("test.comp:1: "));
}

TEST(ShaderCompilerTest, LinesAreThoseOfTheSource) {
  host::GlslOptions options;
  options.defines = {{"VALUE", "3"}};
  options.debug_lines = true;
  const std::vector<uint32_t> spirv = host::compileGlsl(
      "#version 450\nlayout(binding = 0) buffer A { int a; };\nvoid main() {\n  a = VALUE;\n}\n",
      "lines.comp", options);
  constexpr uint32_t kOpLine = 4u << 16 | 8u;  // file, line, column
  std::vector<uint32_t> lines;
  for (size_t k = 5; k < spirv.size(); k += spirv[k] >> 16) {
    if (spirv[k] == kOpLine) lines.push_back(spirv[k + 2]);
  }
  EXPECT_THAT(lines, testing::Contains(4u));
}

// Runs the check of `lines` on buffers that hold their initial data, as if the kernel did nothing.
std::vector<std::string> checkInitial(std::vector<std::string> lines) {
  const Kernel kernel = parseKernel(source(std::move(lines)));
  std::vector<std::vector<std::byte>> memory;
  for (const Buffer& buffer : kernel.buffers) memory.emplace_back(buffer.bytes, kUnwritten);
  Scope scope;
  scope.before = memory;
  for (size_t k = 0; k < memory.size(); ++k) fillBuffer(kernel, k, scope, memory[k]);
  const std::vector<std::vector<std::byte>> after = memory;
  scope.after = after;
  return checkKernel(kernel, scope);
}

TEST(KernelCheckTest, ToleranceDecides) {
  EXPECT_THAT(
      checkInitial({"buffer a f32[4] = 1.0", "dispatch 1", "expect a = 1.0001 within 1e-3"}),
      testing::IsEmpty());
  EXPECT_THAT(
      checkInitial({"buffer a f32[4] = 1.0", "dispatch 1", "expect a = 1.0001 within 1e-5 rel"}),
      testing::ElementsAre(testing::HasSubstr("4 of 4 elements are wrong")));
  EXPECT_THAT(
      checkInitial({"buffer a f16[1] = 1.0", "dispatch 1", "expect a = 1.001 within 1 ulp"}),
      testing::IsEmpty());
  EXPECT_THAT(checkInitial({"buffer a f32[1] = nan", "dispatch 1", "expect a = 0 within 1e9"}),
              testing::SizeIs(1));
}

TEST(KernelCheckTest, OnlySumsThatAreTheSameForAllElementsAreKept) {
  const std::vector<std::string> setup = {"buffer a u32[4] = i + 1", "buffer d u32[4] = 0",
                                          "dispatch 1"};
  auto wrongOf = [&](const std::string& values, const std::string& expected) {
    std::vector<std::string> lines = setup;
    lines[1] = "buffer d u32[4] = " + values;
    lines.push_back("expect d = " + expected);
    return checkInitial(lines);
  };
  EXPECT_THAT(wrongOf("10", "sum(k, 0, 4, a[k])"), testing::IsEmpty());
  EXPECT_THAT(wrongOf("i < 3 ? 10 : 9", "sum(k, 0, 4, a[k])"), testing::SizeIs(1));
  EXPECT_THAT(wrongOf("30 + 3 * i", "sum(j, 0, 3, sum(k, 0, 4, a[k]) + i)"), testing::IsEmpty());
  EXPECT_THAT(wrongOf("i * (i + 1) / 2", "sum(k, 0, i, a[k])"), testing::IsEmpty());
  EXPECT_THAT(wrongOf("i * (i + 1) / 2", "sum(k, 0, 1, sum(j, 0, i, a[j]))"), testing::IsEmpty());
  EXPECT_THAT(wrongOf("i + 10", "sum(k, 0, 4, a[k]) + sum(k, i, i + 1, k)"), testing::IsEmpty());
  EXPECT_THAT(wrongOf("random(0, 1000, 7)", "sum(k, 0, 1, random(0, 1000, 7))"),
              testing::IsEmpty());
}

TEST(KernelCheckTest, ListsPackMixedTypes) {
  EXPECT_THAT(checkInitial({"buffer a u8[16] = { u32 1, f32 1.0, pad 2, s16 -2, u8 7 }",
                            "dispatch 1", "expect a[0..4] = { 1, 0, 0, 0 }", "expect a.f32[1] = 1",
                            "expect a[8] = 0xa5", "expect a.s16[5] = -2", "expect a[12] = 7"}),
              testing::IsEmpty());
}

// A kernel of which nothing is expected but findings, with the mark in lines 2 and 4.
FindingFailures checkMessages(std::vector<std::string> lines,
                              const std::vector<std::string>& messages,
                              Language language = Language::Glsl) {
  lines.insert(lines.begin(), {"buffer a f32[4] binding 0", "dispatch 1", "expect a = 1"});
  KernelSource file = source(std::move(lines));
  file.language = language;
  const std::string comment = language == Language::Glsl ? "//" : ";";
  file.text = "void main() {\n  a[4] = 1;  " + comment + " finding\n" + comment +
              " finding here\n  a[5] = 1;  " + comment + " finding\n}\n";
  std::vector<host::Finding> findings;
  for (const std::string& message : messages) findings.push_back(*host::parseFinding(message));
  return checkFindings(parseKernel(std::move(file)), findings);
}

TEST(FindingTest, MessagesOfChecksBeginWithCheckAndKind) {
  const auto finding = host::parseFinding(
      "race: device-memory: two stores\n  at dir.d/two.comp:12:3 in main\n"
      "  called at two.comp:40\n  at two.comp:9\nat two.comp:1\n  at once\n  at a:b");
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->check, "race");
  EXPECT_EQ(finding->kind, "device-memory");
  ASSERT_EQ(finding->places.size(), 2u);
  EXPECT_EQ(finding->places[0].file, "two.comp");
  EXPECT_EQ(finding->places[0].line, 12u);
  EXPECT_EQ(finding->places[1].line, 9u);
  for (const char* other : {"", "memory", "memory: of 4 bytes: none", "memory: bounds",
                            "memory: : x", "shader: bounds: x", " memory: bounds: x"}) {
    EXPECT_FALSE(host::parseFinding(other)) << other;
  }
}

TEST(FindingTest, FindingsAreAsTheFileSays) {
  const std::string store = "memory: buffer-bounds: a store of 4 bytes\n  at test.comp:2:3";
  const std::string load = "memory: buffer-bounds: a load of 2 bytes\n  at x/test.comp:4";
  const std::string line = "finding memory buffer-bounds";
  auto passes = [](const FindingFailures& result) {
    return result.failures.empty() && result.unexpected == 0;
  };
  EXPECT_TRUE(passes(checkMessages({}, {})));
  EXPECT_TRUE(passes(checkMessages({line}, {store})));
  EXPECT_TRUE(passes(checkMessages({line}, {store}, Language::SpirvText)));
  EXPECT_TRUE(passes(checkMessages({line + " times 0"}, {})));
  EXPECT_TRUE(passes(checkMessages({line + " times 2 \"of [0-9] bytes\""}, {store, load})));
  EXPECT_TRUE(
      passes(checkMessages({line + " \"load\"", line + " \"store\" \"4 b\""}, {store, load})));

  const FindingFailures none = checkMessages({}, {store});
  EXPECT_EQ(none.unexpected, 1u);
  EXPECT_THAT(none.failures, testing::ElementsAre(testing::HasSubstr(store)));
  const FindingFailures twin = checkMessages({line + " times 0"}, {store, load});
  EXPECT_EQ(twin.unexpected, 2u);
  EXPECT_THAT(twin.failures, testing::Contains(testing::HasSubstr(
                                 "test.comp:4: 2 of 2 findings are memory: buffer-bounds, not 0")));
  EXPECT_EQ(checkMessages({line}, {store, load}).unexpected, 1u);
  EXPECT_EQ(checkMessages({"finding race buffer-bounds"}, {store}).unexpected, 1u);
  EXPECT_EQ(checkMessages({"finding memory address"}, {store}).unexpected, 1u);
  EXPECT_EQ(checkMessages({line + " \"store\" \"8 b\""}, {store}).unexpected, 1u);
  const FindingFailures missed = checkMessages({line + " times 2"}, {store});
  EXPECT_EQ(missed.unexpected, 0u);
  EXPECT_THAT(missed.failures, testing::SizeIs(1));
}

TEST(FindingTest, FindingsAreInMarkedLines) {
  auto failures = [](const std::string& places) {
    return checkMessages({"finding memory address"}, {"memory: address: null" + places}).failures;
  };
  EXPECT_THAT(failures("\n  at test.comp:2\n  at test.comp:4:1 in f\n  called at test.comp:1"),
              testing::IsEmpty());
  EXPECT_THAT(failures("\n  at test.comp:2\n  at test.comp:3"),
              testing::ElementsAre(testing::HasSubstr("test.comp:3, which is not marked")));
  EXPECT_THAT(failures("\n  at other.comp:2"), testing::SizeIs(1));
  EXPECT_THAT(failures("\n  at test.comp:99"), testing::SizeIs(1));
  EXPECT_THAT(failures(""), testing::ElementsAre(testing::HasSubstr("names no line")));
}

TEST(FindingTest, MistakesInTheLineAreErrors) {
  EXPECT_THAT(parseError({"finding memry address"}), testing::HasSubstr("no check 'memry'"));
  EXPECT_THAT(parseError({"finding memory"}), testing::HasSubstr("expected a kind"));
  EXPECT_THAT(parseError({"finding memory buffer-"}), testing::HasSubstr("test.comp:1: "));
  EXPECT_THAT(parseError({"finding memory address \"(\""}),
              testing::HasSubstr("not a regular expression"));
  EXPECT_THAT(parseError({"finding memory address times"}), testing::HasSubstr("test.comp:1: "));
}

TEST(KernelDifferenceTest, IsThereUnlessTheFileSaysOtherwise) {
  auto differs = [](std::vector<std::string> lines, const Difference& difference) {
    lines.insert(lines.begin(), "buffer a u32[4] = 1");
    lines.emplace_back("expect a = 1");
    return mayDiffer(parseKernel(source(std::move(lines))), difference);
  };
  const Difference robust{.robust = true}, threads{.threads = true}, size{.subgroup_size = true};
  EXPECT_FALSE(differs({"dispatch 2"}, {}));
  EXPECT_TRUE(differs({"dispatch 1"}, robust));
  EXPECT_TRUE(differs({"robust pipeline", "dispatch 1"}, robust));
  EXPECT_FALSE(differs({"robust", "dispatch 1"}, robust));
  EXPECT_FALSE(differs({"dispatch 1", "dispatch 1"}, threads));
  EXPECT_TRUE(differs({"dispatch 1", "dispatch 1 2"}, threads));
  EXPECT_TRUE(differs({"dispatch indirect a"}, threads));
  EXPECT_TRUE(differs({"dispatch 1"}, size));
  EXPECT_TRUE(differs({"dispatch 1", "subgroup 32", "dispatch 1"}, size));
  EXPECT_FALSE(differs({"subgroup 32", "dispatch 1", "dispatch 1"}, size));
  EXPECT_TRUE(differs({"require subgroup_size 8..32", "subgroup 32", "dispatch 1"}, size));
  EXPECT_TRUE(differs({"robust", "dispatch 1"}, {.robust = true, .subgroup_size = true}));
}

TEST(MatmulModelTest, SeesOneWrongElement) {
  const std::vector<std::string> setup = {
      "buffer a f16[256] = random(-1.0, 1.0, 1)", "buffer b f16[256] = random(-1.0, 1.0, 2)",
      "buffer d f32[256] = sum(k, 0, 16, a[i / 16 * 16 + k] * b[i % 16 * 16 + k])"};
  std::vector<std::string> right = setup, wrong = setup;
  right.insert(right.end(), {"dispatch 1", "matmul d(16, 16) = a(16, 16) * b(16, 16 column)"});
  wrong.insert(wrong.end(),
               {"fill d[37] = 0.001 + sum(k, 0, 16, a[i / 16 * 16 + k] * b[i % 16 * 16 + k])",
                "dispatch 1", "matmul d(16, 16) = a(16, 16) * b(16, 16 column)"});
  EXPECT_THAT(checkInitial(right), testing::IsEmpty());
  EXPECT_THAT(checkInitial(wrong),
              testing::ElementsAre(testing::AllOf(testing::HasSubstr("1 of 256 elements are wrong"),
                                                  testing::HasSubstr("row 2, column 5"))));
}

}  // namespace
}  // namespace kernels
