#version 450
// Activations that half precision cannot hold are converted to it. After the float-cast-overflow tests of
// UndefinedBehaviorSanitizer.
//! debug
//! each BUG = 1 | 0
//! setting check float
//! require shaderFloat16 storageBuffer16BitAccess
//! buffer data f32[8] binding 0 = { 1, 65504, 65519, 70000, -65504, 0.5, inf, -inf }
//! buffer results f16[8] binding 1 scratch
//! dispatch 1
//! finding float infinity times $(BUG)
//! check @results[0] == 1 && @results[1] == 65504 && @results[2] == 65504
//! check @results[4] == -65504 && @results[6] == inf
//! check $(BUG) || @results[3] == 65504
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
layout(local_size_x = 8) in;
layout(binding = 0) readonly buffer Data { float data[]; };
layout(binding = 1) writeonly buffer Results { float16_t results[]; };
void main() {
  uint i = gl_LocalInvocationID.x;
  float x = data[i];
#if !BUG
  if (!isinf(x)) x = clamp(x, -65504.0, 65504.0);
#endif
  results[i] = float16_t(x);  // finding
}
