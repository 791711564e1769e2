#version 450
// OpIsNan, OpIsInf, and unordered comparisons through negation.
//! buffer data f32[8] binding 0 = { 1.0, inf, -inf, nan, 0.0, -0.0, 1e-40, 3e38 }
//! buffer results u32[8] binding 1
//! dispatch 1
//! expect results = { 4, 6, 2, 9, 0, 0, 4, 4 }
layout(local_size_x = 8) in;
layout(binding = 0) readonly buffer Data { float data[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  float x = data[i];
  uint result = (isnan(x) ? 1 : 0) + (isinf(x) ? 2 : 0);
  result += floatBitsToInt(x) > 0 && !isnan(x) ? 4 : 0;
  result += !(x == x) ? 8 : 0;
  results[i] = result;
}
