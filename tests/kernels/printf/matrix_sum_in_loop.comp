#version 450
// debugPrintfEXT of a sum of products as it is in each step of the loop over K. The result is the same,
// and the driver says that the product is not deferred.
//! each SCOPE HELD = Subgroup 0 | Workgroup 32
//! require cooperativeMatrix shaderFloat16 storageBuffer16BitAccess cooperativeMatrixWorkgroupScope
//! require matrix 16 16 16 f16 f16 f32 f32 invocations $(HELD)
//! buffer a f16[1024] binding 0 = i % 7 - 3
//! buffer b f16[1024] binding 1 = i / 16 % 5 - 2
//! buffer d f32[256] binding 2
//! subgroup 32 full
//! dispatch 1
//! matmul d(16, 16 row) = a(16, 64 row) * b(64, 16 row)
//! remarks "product-not-deferred" 1
//! prints "^sum 1. -1(,  -1){15}. -3(,  -3){15}.  9(,   9){15}.  0(,   0){15}.  5(,   5){15}.-11(, -11){15}.  1(,   1){15}. -1(,  -1){15}. -3(,  -3){15}.  9(,   9){15}.  0(,   0){15}.  5(,   5){15}.-11(, -11){15}.  1(,   1){15}. -1(,  -1){15}. -3(,  -3){15}$"
//! prints "^sum 2.-8(, -8){15}. 3(,  3){15}. 7(,  7){15}. 4(,  4){15}. 1(,  1){15}.-2(, -2){15}.-5(, -5){15}.-8(, -8){15}. 3(,  3){15}. 7(,  7){15}. 4(,  4){15}. 1(,  1){15}.-2(, -2){15}.-5(, -5){15}.-8(, -8){15}. 3(,  3){15}$"
//! prints "^sum 3. -2(,  -2){15}.  2(,   2){15}. 13(,  13){15}.  3(,   3){15}.  7(,   7){15}.-10(, -10){15}.-13(, -13){15}. -2(,  -2){15}.  2(,   2){15}. 13(,  13){15}.  3(,   3){15}.  7(,   7){15}.-10(, -10){15}.-13(, -13){15}. -2(,  -2){15}.  2(,   2){15}$"
//! prints "^sum 4. -6(,  -6){15}.  6(,   6){15}. 11(,  11){15}.  9(,   9){15}.  0(,   0){15}.-16(, -16){15}. -4(,  -4){15}. -6(,  -6){15}.  6(,   6){15}. 11(,  11){15}.  9(,   9){15}.  0(,   0){15}.-16(, -16){15}. -4(,  -4){15}. -6(,  -6){15}.  6(,   6){15}$"
//! order "^sum 1" "^sum 2" "^sum 3" "^sum 4"
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_debug_printf : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer ABuffer { float16_t a[]; };
layout(binding = 1) readonly buffer BBuffer { float16_t b[]; };
layout(binding = 2) writeonly buffer DBuffer { float d[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor;

void main() {
  coopmat<float16_t, gl_Scope$(SCOPE), 16, 16, gl_MatrixUseA> x;
  coopmat<float16_t, gl_Scope$(SCOPE), 16, 16, gl_MatrixUseB> y;
  coopmat<float, gl_Scope$(SCOPE), 16, 16, gl_MatrixUseAccumulator> sum =
      coopmat<float, gl_Scope$(SCOPE), 16, 16, gl_MatrixUseAccumulator>(0.0);
  for (uint k = 0; k < 4; ++k) {
    coopMatLoad(x, a, k * 16, 64, row);
    coopMatLoad(y, b, k * 256, 16, row);
    sum = coopMatMulAdd(x, y, sum);
    debugPrintfEXT("sum %d%g", k + 1, sum);
  }
  coopMatStore(sum, d, 0, 16, row);
}
