#version 450
// Matrices are stored to a buffer that is declared as readonly, which glslang lets pass.
//! debug lines
//! each BUG QUALIFIER = 1 readonly | 0 restrict
//! setting check memory
//! require cooperativeMatrix cooperativeMatrixTensorAddressing
//! require matrix_type 16 16 Accumulator f32
//! subgroup 32 full
//! buffer results f32[512] binding 0 scratch = 0
//! dispatch 1
//! finding memory read-only times 2 * $(BUG) "store"
//! check $(BUG) || all_bits(k, 0, 512, @results[k] == (k < 256 ? 3 : 4) ? -1 : 0) != 0
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_NV_cooperative_matrix2 : require
layout(local_size_x = 32) in;
layout(binding = 0) QUALIFIER buffer Results { float results[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor;

void main() {
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> m =
      coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>(3.0);
  coopMatStore(m, results, 0, 16, row);  // finding
  m = m + coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>(1.0);
  tensorLayoutNV<2> tiles = createTensorLayoutNV(2);
  tiles = setTensorLayoutDimensionNV(tiles, 16, 16);
  coopMatStoreTensorNV(m, results, 256, tiles);  // finding
}
