#version 450
// The sum over a subgroup takes in invocations without a value; in the twin they take no part.
//! debug
//! each BUG = 1 | 0
//! setting check uninit
//! require subgroup arithmetic
//! subgroup 32 full
//! buffer results u32[32] binding 0 scratch = 9
//! dispatch 1
//! finding uninit uninit-store times $(BUG)
//! check $(BUG) || all_bits(k, 0, 32, @results[k] == (k < 20 ? 190 : 9) ? -1 : 0) != 0
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 32) in;
layout(binding = 0) writeonly buffer Results { uint results[]; };
void main() {
  uint i = gl_SubgroupInvocationID;
  uint value;
  if (i < 20) value = i;
#if BUG
  uint sum = subgroupAdd(value);
  if (i < 20) results[i] = sum;  // finding
#else
  if (i < 20) {
    uint sum = subgroupAdd(value);
    results[i] = sum;
  }
#endif
}
