#version 450
// All invocations copy the first number of a buffer that nobody has written. After Oclgrind's
// uninitialized_global_buffer.
//! debug
//! each BUG = 1 | 0
//! setting check uninit
//! buffer data f32[16] binding 0 scratch unwritten
//! buffer results f32[64] binding 1 scratch
//! push u32 0
//! dispatch 1
//! push u32 1
//! dispatch 1
//! finding uninit uninit-store times $(BUG)
//! check $(BUG) || all_bits(k, 0, 64, @results[k] == 7 ? -1 : 0) != 0
layout(local_size_x = 64) in;
layout(binding = 0) buffer Data { float data[]; };
layout(binding = 1) writeonly buffer Results { float results[]; };
layout(push_constant) uniform Push { uint turn; };
void main() {
  if (turn == 0) {
#if !BUG
    data[0] = 7.0;
#endif
  } else {
    results[gl_LocalInvocationID.x] = data[0];  // finding
  }
}
