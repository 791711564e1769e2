#version 450
// Quantization of a number that is a NaN in the buffer: clamping does not take it away everywhere, asking does.
//! debug
//! each BUG = 1 | 0
//! setting check float
//! require shaderInt8 storageBuffer8BitAccess
//! buffer data f32[4] binding 0 = { 5, nan, -3, 127 }
//! buffer results s8[4] binding 1 scratch
//! dispatch 1
//! finding float conversion times $(BUG)
//! check @results[0] == 5 && ($(BUG) || @results[1] == 0) && @results[2] == -3 && @results[3] == 127
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 4) in;
layout(binding = 0) readonly buffer Data { float data[]; };
layout(binding = 1) writeonly buffer Results { int8_t results[]; };
void main() {
  uint i = gl_LocalInvocationID.x;
  float x = data[i];
#if !BUG
  if (isnan(x)) x = 0.0;
#endif
  results[i] = int8_t(round(x));  // finding
}
