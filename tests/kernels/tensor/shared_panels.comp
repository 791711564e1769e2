#version 450
// Workgroups that read the same rows of A and columns of B through tensor layouts, in dispatches
// between which B changes. The last ones in each direction read past the end, as all of them do in
// the last step.
//! each ROW A C GA GC FEATURE = f16_f32 f16 f32 float16_t float shaderFloat16
//!+  | s8_s32 s8 s32 int8_t int shaderInt8
//! each STEP K = short 32 | long 128
//! each SIZE M N DEPTH = whole 128 192 384 | cut 107 139 300
//! require $(FEATURE) storageBuffer16BitAccess storageBuffer8BitAccess
//! require cooperativeMatrixWorkgroupScope cooperativeMatrixFlexibleDimensions
//! require cooperativeMatrixTensorAddressing
//! subgroup 32 full
//! buffer a $(A)[$(M) * $(DEPTH)] binding 0 = random(-3, 3, 1)
//! buffer b $(A)[$(DEPTH) * $(N)] binding 1 = random(-3, 3, 2)
//! buffer next_b $(A)[$(DEPTH) * $(N)] binding 2 = random(-3, 3, 3)
//! buffer first $(C)[$(M) * $(N)] binding 3
//! buffer second $(C)[$(M) * $(N)] binding 4
//! push u32 $(DEPTH), u32 0, u32 0
//! dispatch 3 2
//! push u32 $(DEPTH), u32 1, u32 0
//! dispatch 3 2
//! push u32 $(DEPTH), u32 0, u32 1
//! dispatch 3 2
//! expect b = next_b[i]
//! matmul first($(M), $(N) row) = a($(M), $(DEPTH) row) * b($(DEPTH), $(N) row)
//! matmul second($(M), $(N) row) = a($(M), $(DEPTH) row) * next_b($(DEPTH), $(N) row)
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 128) in;
layout(push_constant) uniform Push { uint depth, changes_b, is_second; };
layout(binding = 0) readonly buffer ABuffer { GA a[]; };
layout(binding = 1) buffer BBuffer { GA b[]; };
layout(binding = 2) readonly buffer NextBBuffer { GA next_b[]; };
layout(binding = 3) writeonly buffer FirstBuffer { GC first[]; };
layout(binding = 4) writeonly buffer SecondBuffer { GC second[]; };
const int constant = gl_CooperativeMatrixClampModeConstantNV;

tensorLayoutNV<2, constant> layoutOf(uint rows, uint columns) {
  return setTensorLayoutDimensionNV(createTensorLayoutNV(2, constant), rows, columns);
}

void main() {
  if (changes_b != 0) {
    const uint group = gl_WorkGroupID.y * 3 + gl_WorkGroupID.x;
    for (uint i = group * 128 + gl_LocalInvocationIndex; i < depth * N; i += 6 * 128)
      b[i] = next_b[i];
    return;
  }
  const uint row = gl_WorkGroupID.y * 64, column = gl_WorkGroupID.x * 64;
  const tensorLayoutNV<2, constant> of_a = layoutOf(M, depth);
  const tensorLayoutNV<2, constant> of_b = layoutOf(depth, N);
  const tensorLayoutNV<2, constant> of_sum = layoutOf(M, N);
  coopmat<GC, gl_ScopeWorkgroup, 64, 64, gl_MatrixUseAccumulator> sum =
      coopmat<GC, gl_ScopeWorkgroup, 64, 64, gl_MatrixUseAccumulator>(GC(0));
  for (uint k = 0; k < depth; k += K) {
    coopmat<GA, gl_ScopeWorkgroup, 64, K, gl_MatrixUseA> left;
    coopmat<GA, gl_ScopeWorkgroup, K, 64, gl_MatrixUseB> right;
    coopMatLoadTensorNV(left, a, 0, sliceTensorLayoutNV(of_a, row, 64, k, K));
    coopMatLoadTensorNV(right, b, 0, sliceTensorLayoutNV(of_b, k, K, column, 64));
    sum = coopMatMulAdd(left, right, sum);
  }
  if (is_second == 0) {
    coopMatStoreTensorNV(sum, first, 0, sliceTensorLayoutNV(of_sum, row, 64, column, 64));
  } else {
    coopMatStoreTensorNV(sum, second, 0, sliceTensorLayoutNV(of_sum, row, 64, column, 64));
  }
}
