#version 450
// Infinities and NaNs of a buffer are passed on by arithmetic, comparisons, minima and conversions, which is no
// finding; the difference of two infinities is one.
//! debug
//! each BUG = 1 | 0
//! setting check float
//! require shaderFloat16
//! buffer data f32[4] binding 0 = { 1, nan, inf, -inf }
//! buffer results f32[24] binding 1 scratch
//! dispatch 1
//! finding float nan times $(BUG)
//! check @results[0] == 2 && isnan(@results[1]) && @results[2] == inf && @results[3] == -inf
//! check @results[8] == 1 && @results[10] == 3 && @results[11] == -inf
//! check @results[12] == 0 && @results[13] == 1 && @results[14] == 2 && @results[15] == 2
//! check $(BUG) || @results[18] == inf && @results[16] == 2
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
layout(local_size_x = 4) in;
layout(binding = 0) readonly buffer Data { float data[]; };
layout(binding = 1) writeonly buffer Results { float results[]; };
void main() {
  uint i = gl_LocalInvocationID.x;
  float x = data[i];
  results[i] = x * 2.0;
  results[4 + i] = float(float16_t(x)) + float(double(x));
  results[8 + i] = min(x, 3.0);
  results[12 + i] = isnan(x) ? 1.0 : isinf(x) ? 2.0 : 0.0;
#if BUG
  results[16 + i] = x - abs(x);  // finding
#else
  results[16 + i] = x + abs(x) * sign(x);
#endif
  results[20 + i] = sqrt(abs(x));
}
