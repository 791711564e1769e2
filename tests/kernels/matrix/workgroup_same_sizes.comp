#version 450
// Matrices of Subgroup scope that have together more elements than registers take, and as many as one
// of the workgroup's, or not: all that is done with matrices, under masks that differ by subgroup.
//! each SIDE = 32 | 16
//! require cooperativeMatrixWorkgroupScope cooperativeMatrixFlexibleDimensions shaderFloat16
//! require cooperativeMatrixConversions storageBuffer16BitAccess
//! require subgroup basic
//! require matrix 16 16 16 f16 f16 f32 f32
//! require matrix_type 16 16 Accumulator f16
//! require matrix_type $(SIDE) $(SIDE) Accumulator f16 invocations 128
//! require matrix_type $(SIDE) $(SIDE) Accumulator f32 invocations 128
//! setting component_layout native
//! subgroup 32 full
//! buffer a f16[1024] binding 0 = random(-4, 4, 1)
//! buffer b f16[256] binding 1 = random(-4, 4, 2)
//! buffer products f32[1024] binding 2
//! buffer chosen f32[1024] binding 3
//! buffer turned f16[1024] binding 4
//! buffer all f32[$(SIDE) * $(SIDE)] binding 5
//! push f32 0.5, u32 3
//! dispatch 1
//! expect products = (i / 256 % 2 == 1 ? 3 : 2 + i / 256) * sum(k, 0, 16, a[i / 16 * 16 + k] * b[k * 16 + i % 16]) * 0.5 - 1
//! expect chosen = i / 256 >= 2 ? -a[i] : a[i] + i % 256 / 32
//! expect turned = 2 * a[i / 256 * 256 + i % 16 * 16 + i % 256 / 16]
//! expect all = a[i] + 1
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 128) in;
layout(binding = 0) readonly buffer ABuffer { float16_t a[]; };
layout(binding = 1) readonly buffer BBuffer { float16_t b[]; };
layout(binding = 2) writeonly buffer Products { float products[]; };
layout(binding = 3) writeonly buffer Chosen { float chosen[]; };
layout(binding = 4) writeonly buffer Turned { float16_t turned[]; };
layout(binding = 5) writeonly buffer All { float all[]; };
layout(push_constant) uniform Push { float half_; uint rounds; };
const int row = gl_CooperativeMatrixLayoutRowMajor;
#define MATRIX(T, U) coopmat<T, gl_ScopeSubgroup, 16, 16, gl_MatrixUse##U>
#define WHOLE(T) coopmat<T, gl_ScopeWorkgroup, SIDE, SIDE, gl_MatrixUseAccumulator>

void main() {
  WHOLE(float16_t) whole;
  coopMatLoad(whole, a, 0, SIDE, row);
  const uint at = gl_SubgroupID * 256;

  // Sums that go round a loop, whose length is each subgroup's own.
  MATRIX(float16_t, A) x;
  MATRIX(float16_t, B) y;
  coopMatLoad(x, a, at, 16, row);
  coopMatLoad(y, b, 0, 16, row);
  MATRIX(float, Accumulator) sums[2] = { MATRIX(float, Accumulator)(0.0), MATRIX(float, Accumulator)(0.0) };
  const uint count = gl_SubgroupID % 2 == 1 ? rounds : 2 + gl_SubgroupID;
  for (uint k = 0; k < count; ++k) {
    if (k % 2 == 0) sums[0] = coopMatMulAdd(x, y, sums[0]);
    else sums[1] = coopMatMulAdd(x, y, sums[1]);
  }
  MATRIX(float, Accumulator) sum = sums[0] + sums[1];
  sum = sum * half_ - MATRIX(float, Accumulator)(1.0);
  coopMatStore(sum, products, at, 16, row);

  // Values from both sides of a branch, components one by one, a conversion.
  MATRIX(float16_t, Accumulator) own;
  coopMatLoad(own, a, at, 16, row);
  MATRIX(float, Accumulator) wide;
  if (gl_SubgroupID >= 2) {
    wide = -MATRIX(float, Accumulator)(own);
  } else {
    wide = MATRIX(float, Accumulator)(own);
    for (int c = 0; c < wide.length(); ++c) wide[c] += float(c);
  }
  coopMatStore(wide, chosen, at, 16, row);

  MATRIX(float16_t, B) other;
  coopMatTransposeNV(other, own + own);
  coopMatStore(other, turned, at, 16, row);
  coopMatStore(WHOLE(float)(whole) + WHOLE(float)(1.0), all, 0, SIDE, row);
}
