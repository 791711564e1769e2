#version 450
// A sum that starts without a value. After Oclgrind's uninitialized_local_variable.
//! debug
//! each BUG = 1 | 0
//! setting check uninit
//! buffer data f32[512] binding 0 = i % 8
//! buffer results f32[64] binding 1 scratch
//! dispatch 1
//! finding uninit uninit-store times $(BUG)
//! check $(BUG) || all_bits(k, 0, 64, @results[k] == 28 ? -1 : 0) != 0
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { float data[]; };
layout(binding = 1) writeonly buffer Results { float results[]; };
void main() {
  uint i = gl_LocalInvocationID.x;
#if BUG
  float sum;
#else
  float sum = 0.0;
#endif
  for (uint k = 0; k < 8; ++k) sum += data[8 * i + k];
  results[i] = sum;  // finding
}
