#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require

// C = A B of n x n halves, sums in floats; each subgroup computes 32 x 32 of C.
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) readonly buffer A { float16_t a[]; };
layout(set = 0, binding = 1) readonly buffer B { float16_t b[]; };
layout(set = 0, binding = 2) writeonly buffer C { float c[]; };
layout(push_constant) uniform Arguments { uint n; };

void main() {
  uint row = gl_WorkGroupID.y * 32, column = gl_WorkGroupID.x * 32;
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> sum[2][2];
  for (uint i = 0; i < 2; ++i)
    for (uint j = 0; j < 2; ++j)
      sum[i][j] = coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>(0);
  for (uint k = 0; k < n; k += 16) {
    coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> left[2];
    coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB> right[2];
    for (uint i = 0; i < 2; ++i) {
      coopMatLoad(left[i], a, (row + 16 * i) * n + k, n, gl_CooperativeMatrixLayoutRowMajor);
      coopMatLoad(right[i], b, k * n + column + 16 * i, n, gl_CooperativeMatrixLayoutRowMajor);
    }
    for (uint i = 0; i < 2; ++i)
      for (uint j = 0; j < 2; ++j) sum[i][j] = coopMatMulAdd(left[i], right[j], sum[i][j]);
  }
  for (uint i = 0; i < 2; ++i)
    for (uint j = 0; j < 2; ++j)
      coopMatStore(sum[i][j], c, (row + 16 * i) * n + column + 16 * j, n,
                   gl_CooperativeMatrixLayoutRowMajor);
}
