#version 450
// Workgroups that read the same rows of A and columns of B, in dispatches between which B changes.
//! each ROW A C GA GC K FEATURE = f16_f32 f16 f32 float16_t float 16 shaderFloat16
//!+  | s8_s32 s8 s32 int8_t int 32 shaderInt8
//! each T = 1 | 2
//! require cooperativeMatrix $(FEATURE) storageBuffer16BitAccess storageBuffer8BitAccess
//! require matrix 16 16 $(K) $(A) $(A) $(C) $(C)
//! subgroup 32 full
//! buffer a $(A)[48 * $(T) * 9 * $(K)] binding 0 = random(-3, 3, 1)
//! buffer b $(A)[9 * $(K) * 80 * $(T)] binding 1 = random(-3, 3, 2)
//! buffer d $(C)[2 * 48 * 80 * $(T) * $(T)] binding 2
//! push u32 0, u32 0
//! dispatch 5 3
//! push u32 1, u32 0
//! dispatch 5 3
//! push u32 0, u32 1
//! dispatch 5 3
//! expect b = 1 - b[i]
//! expect d[0..48 * 80 * $(T) * $(T)] =
//!+ sum(k, 0, 9 * $(K), a[i / (80 * $(T)) * 9 * $(K) + k] * b[k * 80 * $(T) + i % (80 * $(T))])
//! expect d[48 * 80 * $(T) * $(T)..2 * 48 * 80 * $(T) * $(T)] =
//!+ sum(k, 0, 9 * $(K), a[n / (80 * $(T)) * 9 * $(K) + k] * (1 - b[k * 80 * $(T) + n % (80 * $(T))]))
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 32) in;
layout(push_constant) uniform Push { uint changes_b, half_of_d; };
layout(binding = 0) readonly buffer ABuffer { GA a[]; };
layout(binding = 1) buffer BBuffer { GA b[]; };
layout(binding = 2) writeonly buffer DBuffer { GC d[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor;
#define MATRIX_A coopmat<GA, gl_ScopeSubgroup, 16, K, gl_MatrixUseA>
#define MATRIX_B coopmat<GA, gl_ScopeSubgroup, K, 16, gl_MatrixUseB>
#define ACCUMULATOR coopmat<GC, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>
const uint depth = 9 * K, columns = 80 * T, first_row = 16 * T, first_column = 16 * T;

void main() {
  if (changes_b != 0) {
    const uint group = gl_WorkGroupID.y * 5 + gl_WorkGroupID.x;
    for (uint i = group * 32 + gl_LocalInvocationIndex; i < depth * columns; i += 15 * 32)
      b[i] = GA(1) - b[i];
    return;
  }
  const uint y = gl_WorkGroupID.y * first_row, x = gl_WorkGroupID.x * first_column;
  ACCUMULATOR sums[T][T];
  for (int i = 0; i < T; ++i) {
    for (int j = 0; j < T; ++j) sums[i][j] = ACCUMULATOR(GC(0));
  }
  for (uint k = 0; k < depth; k += K) {
    MATRIX_A left[T];
    for (int i = 0; i < T; ++i) coopMatLoad(left[i], a, (y + i * 16) * depth + k, depth, row);
    for (int j = 0; j < T; ++j) {
      MATRIX_B right;
      coopMatLoad(right, b, k * columns + x + j * 16, columns, row);
      for (int i = 0; i < T; ++i) sums[i][j] = coopMatMulAdd(left[i], right, sums[i][j]);
    }
  }
  const uint start = half_of_d * 48 * T * columns;
  for (int i = 0; i < T; ++i) {
    for (int j = 0; j < T; ++j)
      coopMatStore(sums[i][j], d, start + (y + i * 16) * columns + x + j * 16, columns, row);
  }
}
