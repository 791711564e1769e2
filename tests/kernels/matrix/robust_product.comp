#version 450
// cooperativeMatrixRobustBufferAccess in a K loop: what lies outside of A and B counts as 0, what
// lies outside of D stays. Ranges end within a row, and within an element.
//! each LAYOUTS AL BL DL AR AK BK BN DR DN = rrr row row row 64 1 16 1 16 1
//!+  | ccc column column column 1 16 1 64 1 16 | rcr row column row 64 1 1 64 16 1
//! require cooperativeMatrixRobustBufferAccess shaderInt8 storageBuffer8BitAccess
//! require matrix 16 16 16 s8 s8 s32 s32
//! robust
//! buffer a s8[1024] binding 0 range 917 = random(-9, 9, 1)
//! buffer b s8[1024] binding 1 range 1001 = random(-9, 9, 2)
//! buffer d s32[256] binding 2 range 842 = 77
//! subgroup 32 full
//! dispatch 1
//! expect d = i >= 210 ? 77 : sum(k, 0, 64,
//!+  (i / $(DR) % 16 * $(AR) + k * $(AK) < 917 ? a[i / $(DR) % 16 * $(AR) + k * $(AK)] : 0) *
//!+  (k * $(BK) + i / $(DN) % 16 * $(BN) < 1001 ? b[k * $(BK) + i / $(DN) % 16 * $(BN)] : 0))
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer ABuffer { int8_t a[]; };
layout(binding = 1) readonly buffer BBuffer { int8_t b[]; };
layout(binding = 2) writeonly buffer DBuffer { int d[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor, column = gl_CooperativeMatrixLayoutColumnMajor;

void main() {
  coopmat<int, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> sum =
      coopmat<int, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>(0);
  for (uint k = 0; k < 64; k += 16) {
    coopmat<int8_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> x;
    coopmat<int8_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB> y;
    coopMatLoad(x, a, k * AK, AL == row ? 64 : 16, AL);
    coopMatLoad(y, b, k * BK, BL == row ? 16 : 64, BL);
    sum = coopMatMulAdd(x, y, sum);
  }
  coopMatStore(sum, d, 0, 16, DL);
}
