#version 450
// Who looks at memory that a loop's sums are stored to, or at the sums again, finds what the
// program's order says.
//! each CASE N = plain 0 | over_an_operand 1 | read_before 2 | read_between 3 | read_after 4
//!+  | atomic_before 5 | guarded 6 | guarded_and_used 7
//! each STEPS = 4 | 0
//! each FLAG = 1 | 0
//! require cooperativeMatrix
//! require matrix 16 16 16 f32 f32 f32 f32
//! subgroup 32 full
//! buffer a f32[2048] binding 0 = random(-4, 4, 1)
//! buffer b f32[2048] binding 1 = random(-4, 4, 2)
//! buffer d f32[2048] binding 2 = i
//! buffer seen f32[2048] binding 3 = -1
//! buffer count u32[1] binding 4 = 7
//! push u32 $(STEPS), u32 $(FLAG)
//! dispatch 1
//! expect a = $(N) == 1 && i % 64 < 32
//!+  ? sum(k, 0, 16 * $(STEPS), a[i / 64 * 64 + k] * b[k * 32 + i % 64]) : a[i]
//! expect d = $(N) != 1 && ($(N) < 6 || $(FLAG) != 0) && i % 64 < 32
//!+  ? sum(k, 0, 16 * $(STEPS), a[i / 64 * 64 + k] * b[k * 32 + i % 64]) : i
//! expect seen = $(N) == 2 && i < 32 || $(N) == 3 && i >= 16 && i < 32 ? i
//!+  : $(N) == 3 && i < 16 || $(N) == 4 && i < 32 || $(N) == 7 && i % 64 < 32
//!+  ? ($(N) == 7 ? 2 : 1) * sum(k, 0, 16 * $(STEPS), a[i / 64 * 64 + k] * b[k * 32 + i % 64]) : -1
//! expect count = $(N) == 5 ? 39 : 7
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 32) in;
layout(push_constant) uniform Push { uint steps, flag; };
layout(binding = 0) buffer ABuffer { float a[]; };
layout(binding = 1) readonly buffer BBuffer { float b[]; };
layout(binding = 2) buffer DBuffer { float d[]; };
layout(binding = 3) writeonly buffer Seen { float seen[]; };
layout(binding = 4) buffer Count { uint count; };
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
  const uint me = gl_LocalInvocationIndex;
  float old = 0;
#if N == 2
  old = d[me];
  subgroupBarrier();
#elif N == 5
  atomicAdd(count, 1);
#endif
#if N >= 6
  if (flag != 0) {
#endif
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 2; ++j) {
#if N == 1
        coopMatStore(sums[i][j], a, i * 1024 + j * 16, 64, row);
#else
        coopMatStore(sums[i][j], d, i * 1024 + j * 16, 64, row);
#endif
#if N == 3
        if (i == 0 && j == 0) {
          subgroupBarrier();
          old = d[me];
          subgroupBarrier();
        }
#endif
      }
    }
#if N >= 6
  }
#endif
#if N == 4
  subgroupBarrier();
  old = d[me];
#endif
#if N >= 2 && N <= 4
  seen[me] = old;
#elif N == 7
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) coopMatStore(2.0 * sums[i][j], seen, i * 1024 + j * 16, 64, row);
  }
#endif
}
