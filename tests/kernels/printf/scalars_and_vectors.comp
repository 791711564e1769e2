#version 450
// debugPrintfEXT of every type, uniform and varying, from a single invocation and from each.
//! require shaderInt64 shaderFloat64 shaderInt16 shaderInt8 shaderFloat16
//! buffer results u32[32] binding 0 = i
//! dispatch 1
//! expect results = i
//! prints "^once -5 7 0x2a 1.50 2.250000$"
//! prints "^vectors 1, 2, 3, 4 and 0.5, 1.5$"
//! prints "^long 8589934592 200000000 -3 -8 250 1.5$"
//! prints "^each [0-9]+ of 32: [0-9]+\.5$" times 32
#extension GL_EXT_debug_printf : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
layout(binding = 0) buffer Results { uint results[]; };

void main() {
  uint i = gl_LocalInvocationIndex;
  if (i == 0) {
    debugPrintfEXT("once %d %u %#x %.2f %lf", int(results[0]) - 5, 7u, 42u, 1.5, 2.25lf);
    debugPrintfEXT("vectors %v4u and %1.1v2f", uvec4(1, 2, 3, 4), vec2(0.5, 1.5));
    debugPrintfEXT("long %ul %lx %d %d %u %g", uint64_t(1) << 33, uint64_t(1) << 33, int16_t(-3),
                   int8_t(-8), uint8_t(250), float16_t(1.5));
  }
  debugPrintfEXT("each %u of %u: %.1f", i, gl_WorkGroupSize.x, float(i) * 2.0 + 0.5);
}
