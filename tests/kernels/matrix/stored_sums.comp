#version 450
// Where the sums of a loop go: tiles that are one piece of memory, and others.
//! each CASE AT WIDTH R C = side_by_side i*1024+j*16 32 i/64 i%64
//!+  | with_gaps i*1024+j*32 48 i/64 i%64>=32?i%64-16:i%64>=16?-1:i%64
//!+  | overlapping i*1024+j*8 24 i/64 i%64<8?i%64:i%64+8
//!+  | rows_overlapping i*512+j*16 32 i/64<8?i/64:i/64<24?i/64+8:-1 i%64
//!+  | swapped j*1024+i*16 32 i%64/16*16+i/64%16 i/1024*16+i%16
//!+  | backwards (1-i)*1024+(1-j)*16 32 (i/64+16)%32 (i%64+16)%32
//! require cooperativeMatrix
//! require matrix 16 16 16 f32 f32 f32 f32
//! subgroup 32 full
//! buffer a f32[2048] binding 0 = random(-4, 4, 1)
//! buffer b f32[2048] binding 1 = random(-4, 4, 2)
//! buffer d f32[2048] binding 2 = 1000
//! push u32 4
//! dispatch 1
//! expect d = i % 64 < $(WIDTH) && ($(R)) >= 0 && ($(C)) >= 0
//!+  ? sum(k, 0, 64, a[($(R)) * 64 + k] * b[k * 32 + ($(C))]) : 1000
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 32) in;
layout(push_constant) uniform Push { uint steps; };
layout(binding = 0) readonly buffer ABuffer { float a[]; };
layout(binding = 1) readonly buffer BBuffer { float b[]; };
layout(binding = 2) writeonly buffer DBuffer { float d[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor;
#define ACCUMULATOR coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>

void main() {
  ACCUMULATOR sums[2][2];
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) sums[i][j] = ACCUMULATOR(0);
  }
  for (uint k = 0; k < steps; ++k) {
    coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> x[2];
    for (int i = 0; i < 2; ++i) coopMatLoad(x[i], a, i * 1024 + k * 16, 64, row);
    for (int j = 0; j < 2; ++j) {
      coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB> y;
      coopMatLoad(y, b, k * 512 + j * 16, 32, row);
      for (int i = 0; i < 2; ++i) sums[i][j] = coopMatMulAdd(x[i], y, sums[i][j]);
    }
  }
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) coopMatStore(sums[i][j], d, AT, 64, row);
  }
}
