#version 450
// A product whose sizes are no multiples of the tile: inner tiles are plain rows of memory, those
// at the edges are clamped, B is loaded by columns through a view, and the result is cut off.
//! each SIZE M N K = whole 48 32 64 | cut 41 23 59
//! require shaderFloat16 storageBuffer16BitAccess
//! require matrix 16 16 16 f16 f16 f32 f32
//! require cooperativeMatrixTensorAddressing
//! subgroup 32 full
//! buffer a f16[$(M) * $(K)] binding 0 = random(-2.0, 2.0, 1)
//! buffer b f16[$(N) * $(K)] binding 1 = random(-2.0, 2.0, 2)
//! buffer d f32[$(M) * $(N)] binding 2
//! push u32 $(M), u32 $(N), u32 $(K)
//! dispatch 2 3
//! matmul d($(M), $(N) row) = a($(M), $(K) row) * b($(K), $(N) column)
#extension GL_KHR_cooperative_matrix : enable
#extension GL_KHR_memory_scope_semantics : enable
#extension GL_NV_cooperative_matrix2 : enable
#extension GL_EXT_shader_16bit_storage : enable
#extension GL_EXT_shader_explicit_arithmetic_types : enable
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer A { float16_t a[]; };
layout(binding = 1) readonly buffer B { float16_t b[]; };
layout(binding = 2) writeonly buffer D { float d[]; };
layout(push_constant) uniform Sizes { uint rows, columns, depth; };
const int constant = gl_CooperativeMatrixClampModeConstantNV;

void main() {
  const uint row = gl_WorkGroupID.y * 16, column = gl_WorkGroupID.x * 16;
  tensorLayoutNV<2, constant> la = createTensorLayoutNV(2, constant);
  tensorLayoutNV<2, constant> lb = createTensorLayoutNV(2, constant);
  tensorLayoutNV<2, constant> ld = createTensorLayoutNV(2, constant);
  la = setTensorLayoutDimensionNV(la, rows, depth);
  lb = setTensorLayoutDimensionNV(lb, columns, depth);
  ld = setTensorLayoutDimensionNV(ld, rows, columns);
  tensorViewNV<2, false, 1, 0> transposed = createTensorViewNV(2, false, 1, 0);
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> sum =
      coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>(0.0);
  for (uint k = 0; k < depth; k += 16) {
    coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> x;
    coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB> y;
    coopMatLoadTensorNV(x, a, 0, sliceTensorLayoutNV(la, row, 16, k, 16));
    coopMatLoadTensorNV(y, b, 0, sliceTensorLayoutNV(lb, column, 16, k, 16), transposed);
    sum = coopMatMulAdd(x, y, sum);
  }
  coopMatStoreTensorNV(sum, d, 0, sliceTensorLayoutNV(ld, row, 16, column, 16));
}
