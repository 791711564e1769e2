// SPDX-License-Identifier: Apache-2.0

// Execution modes of floats: denormals, signed zeros, contraction; what rounds is in
// rounding_test.cpp.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "tests/jit/math/shader_with_modes.h"

namespace jit::test {
namespace {

// What underflows is zero of the same sign, in the width that asks for it.
TEST(FloatControlsTest, DenormalsFlush) {
  const float least = 0x1p-126f;
  const std::vector<float> x = {least,     -least,    0x1p-140f, -0x1p-140f,
                                0x1p-149f, 0x1p-100f, -0.0f,     least * 2};
  const std::vector<float> y(x.size(), 0.5f);
  struct Row {
    const char* code;
    float (*reference)(float x, float y);
  };
  const Row rows[] = {
      {"%result = OpFMul %from %x %y", [](float a, float b) { return a * b; }},
      {"%result = OpFNegate %from %x", [](float a, float) { return -a; }},
      {"%result = OpExtInst %from %glsl FAbs %x", [](float a, float) { return std::abs(a); }},
      {"%result = OpExtInst %from %glsl FMin %x %y",
       [](float a, float b) { return std::min(a, b); }},
      {"%result = OpExtInst %from %glsl Sin %x", [](float a, float) { return std::sin(a); }},
      {"%result = OpCopyObject %from %x", nullptr},
  };
  for (const Row& row : rows) {
    for (bool flush : {true, false}) {
      for (rt::Isa isa : machineIsas()) {
        const auto shader = shaderWithModes("float 32", row.code, 2,
                                            flush ? "OpExecutionMode %main DenormFlushToZero 32\n"
                                                    "OpExecutionMode %main DenormPreserve 64\n"
                                                  : "OpExecutionMode %main DenormPreserve 32\n"
                                                    "OpExecutionMode %main DenormFlushToZero 64\n");
        const auto result = FunctionKernel(shader, isa).map<float>(x, y);
        for (size_t k = 0; k < x.size(); ++k) {
          float expected = row.reference ? row.reference(x[k], y[k]) : x[k];
          if (flush && row.reference && std::abs(expected) < least)
            expected = std::copysign(0.0f, expected);
          EXPECT_EQ(std::bit_cast<uint32_t>(result[k]), std::bit_cast<uint32_t>(expected))
              << row.code << " of " << x[k] << " on " << rt::isaName(isa);
        }
      }
    }
  }
}

// Where denormals are flushed, operands that are denormal count as zeros.
TEST(FloatControlsTest, DegreesOfDenormals) {
  const std::vector<float> x = {0x1p-127f, -0x1p-130f, 0x1p-126f, -0x1p-149f};
  for (bool flush : {true, false}) {
    for (rt::Isa isa : machineIsas()) {
      const auto shader =
          shaderWithModes("float 32", "%result = OpExtInst %from %glsl Degrees %x", 1,
                          flush ? "OpExecutionMode %main DenormFlushToZero 32\n"
                                : "OpExecutionMode %main DenormPreserve 32\n");
      const auto result = FunctionKernel(shader, isa).map<float>(x);
      for (size_t k = 0; k < x.size(); ++k) {
        const float operand =
            flush && std::abs(x[k]) < 0x1p-126f ? std::copysign(0.0f, x[k]) : x[k];
        const float expected = operand * 57.295779513f;
        EXPECT_EQ(std::bit_cast<uint32_t>(result[k]), std::bit_cast<uint32_t>(expected))
            << x[k] << " on " << rt::isaName(isa) << (flush ? ", flushing" : "");
      }
    }
  }
}

// Constants are not folded before the modes apply.
TEST(FloatControlsTest, ConstantsObeyTheModes) {
  for (rt::Isa isa : machineIsas()) {
    auto shader = shaderWithModes("float 32",
                                  "%sum = OpFAdd %from %one %tiny\n"
                                  "%product = OpFMul %from %least %half\n"
                                  "%result = OpFAdd %from %sum %product",
                                  1,
                                  "OpExecutionMode %main RoundingModeRTZ 32\n"
                                  "OpExecutionMode %main DenormFlushToZero 32\n");
    shader.declarations =
        "%one = OpConstant %from -1\n%tiny = OpConstant %from 0x1p-30\n"
        "%least = OpConstant %from 0x1p-126\n%half = OpConstant %from 0.5\n";
    const auto result = FunctionKernel(shader, isa).map<float>(std::vector<float>(1));
    EXPECT_EQ(result[0], -0x1.fffffep-1f) << rt::isaName(isa);
  }
}

// Zeros of two signs are alike to minimum and maximum unless a fast-math mode without NSZ is given.
TEST(FloatControlsTest, ZerosHaveAnOrder) {
  const std::vector<float> x = {0.0f, -0.0f, 0.0f, -0.0f}, y = {-0.0f, 0.0f, 0.0f, -0.0f};
  for (const char* function : {"FMin", "FMax", "NMin", "NMax"}) {
    for (rt::Isa isa : machineIsas()) {
      FunctionShader shader;
      shader.operands = 2;
      shader.code = std::string("%result = OpExtInst %from %glsl ") + function + " %x %y";
      shader.execution_modes = "OpExecutionModeId %main FPFastMathDefault %from %zero\n";
      shader.capabilities = "OpCapability FloatControls2\n";
      shader.extensions = "OpExtension \"SPV_KHR_float_controls2\"\n";
      const auto result = FunctionKernel(shader, isa).map<float>(x, y);
      const bool least = std::string_view(function).substr(1) == "Min";
      const bool negative[] = {least, least, false, true};
      for (size_t k = 0; k < x.size(); ++k)
        EXPECT_EQ(std::signbit(result[k]), negative[k]) << function << " on " << rt::isaName(isa);
    }
  }
}

// A product and a sum are one operation where the module allows it and the machine has FMA.
TEST(FloatControlsTest, Contraction) {
  const float a = 1 + 0x1p-12f, product = a * a;
  const std::vector<float> x(256, a), y(256, -product);
  const float fused = std::fma(a, a, -product);
  ASSERT_NE(fused, 0);
  struct Row {
    const char *annotations, *modes;
    bool contracts;
  };
  const char* kNone = "OpExecutionModeId %main FPFastMathDefault %from %none\n";
  const char* kAllow = "OpExecutionModeId %main FPFastMathDefault %from %contract\n";
  const Row rows[] = {
      {"", "", true},
      {"OpDecorate %product NoContraction\nOpDecorate %result NoContraction\n", "", false},
      {"", kNone, false},
      {"", kAllow, true},
      {"OpDecorate %result FPFastMathMode None\n", kAllow, false},
      {"OpDecorate %product FPFastMathMode AllowContract\n"
       "OpDecorate %result FPFastMathMode AllowContract\n",
       kNone, true},
  };
  for (const Row& row : rows) {
    for (rt::Isa isa : machineIsas()) {
      FunctionShader shader;
      shader.operands = 2;
      shader.code = "%product = OpFMul %from %x %x\n%result = OpFAdd %from %product %y";
      shader.annotations = row.annotations;
      shader.execution_modes = row.modes;
      shader.capabilities = "OpCapability FloatControls2\n";
      shader.extensions = "OpExtension \"SPV_KHR_float_controls2\"\n";
      shader.declarations = "%none = OpConstant %uint 0\n%contract = OpConstant %uint 65536\n";
      const auto result = FunctionKernel(shader, isa).map<float>(x, y);
      EXPECT_EQ(result[0], row.contracts && isa != rt::Isa::Reference ? fused : 0)
          << rt::isaName(isa) << " " << row.annotations << row.modes;
    }
  }
}

}  // namespace
}  // namespace jit::test
