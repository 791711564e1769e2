#version 450
// A matrix is loaded from a tile of shared memory of which the last row was never filled.
//! debug
//! each BUG = 1 | 0
//! setting check uninit
//! require matrix 16 16 16 f16 f16 f32 f32
//! subgroup 32 full
//! buffer data f32[256] binding 0 = i
//! buffer results f32[256] binding 1 scratch
//! dispatch 1
//! finding uninit uninit-store times $(BUG)
//! check all_bits(k, 0, 240, @results[k] == k ? -1 : 0) != 0
//! check $(BUG) || all_bits(k, 240, 256, @results[k] == k ? -1 : 0) != 0
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Data { float data[]; };
layout(binding = 1) writeonly buffer Results { float results[]; };
#define MATRIX(T, USE) coopmat<T, gl_ScopeSubgroup, 16, 16, gl_MatrixUse##USE>
const int row = gl_CooperativeMatrixLayoutRowMajor;
shared float tile[256];
void main() {
  for (uint k = gl_LocalInvocationID.x; k < 256 - 16 * BUG; k += 32) tile[k] = data[k];
  barrier();
  MATRIX(float, Accumulator) m;
  coopMatLoad(m, tile, 0, 16, row);
  coopMatStore(m, results, 0, 16, row);  // finding
}
