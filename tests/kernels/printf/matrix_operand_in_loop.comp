#version 450
// debugPrintfEXT of an operand in each step of a loop over K, and of the sum behind the loop: the
// product is deferred all the same.
//! each SCOPE HELD = Subgroup 0 | Workgroup 32
//! require cooperativeMatrix shaderFloat16 storageBuffer16BitAccess cooperativeMatrixWorkgroupScope
//! require matrix 16 16 16 f16 f16 f32 f32 invocations $(HELD)
//! buffer a f16[1024] binding 0 = i % 7 - 3
//! buffer b f16[1024] binding 1 = i / 16 % 5 - 2
//! buffer d f32[256] binding 2
//! subgroup 32 full
//! dispatch 1
//! matmul d(16, 16 row) = a(16, 64 row) * b(64, 16 row)
//! remarks "product-not-deferred" 0
//! prints "^a 1.-3, -2, -1,  0,  1,  2,  3, -3, -2, -1,  0,  1,  2,  3, -3, -2.-2, -1,  0,  1,  2,  3, -3, -2, -1,  0,  1,  2,  3, -3, -2, -1(.([- ][0-3], ){15}[- ][0-3]){13}.-2, -1,  0,  1,  2,  3, -3, -2, -1,  0,  1,  2,  3, -3, -2, -1$"
//! prints "^a 2.-1,  0,  1,  2,  3, -3, -2, -1,  0,  1,  2,  3, -3, -2, -1,  0. 0,  1,  2,  3, -3, -2, -1,  0,  1,  2,  3, -3, -2, -1,  0,  1(.([- ][0-3], ){15}[- ][0-3]){13}. 0,  1,  2,  3, -3, -2, -1,  0,  1,  2,  3, -3, -2, -1,  0,  1$"
//! prints "^a 3. 1,  2,  3, -3, -2, -1,  0,  1,  2,  3, -3, -2, -1,  0,  1,  2. 2,  3, -3, -2, -1,  0,  1,  2,  3, -3, -2, -1,  0,  1,  2,  3(.([- ][0-3], ){15}[- ][0-3]){13}. 2,  3, -3, -2, -1,  0,  1,  2,  3, -3, -2, -1,  0,  1,  2,  3$"
//! prints "^a 4. 3, -3, -2, -1,  0,  1,  2,  3, -3, -2, -1,  0,  1,  2,  3, -3.-3, -2, -1,  0,  1,  2,  3, -3, -2, -1,  0,  1,  2,  3, -3, -2(.([- ][0-3], ){15}[- ][0-3]){13}.-3, -2, -1,  0,  1,  2,  3, -3, -2, -1,  0,  1,  2,  3, -3, -2$"
//! prints "^sum 4. -6(,  -6){15}.  6(,   6){15}. 11(,  11){15}.  9(,   9){15}.  0(,   0){15}.-16(, -16){15}. -4(,  -4){15}. -6(,  -6){15}.  6(,   6){15}. 11(,  11){15}.  9(,   9){15}.  0(,   0){15}.-16(, -16){15}. -4(,  -4){15}. -6(,  -6){15}.  6(,   6){15}$"
//! order "^a 1" "^a 2" "^a 3" "^a 4" "^sum 4"
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
    debugPrintfEXT("a %d%g", k + 1, x);
    sum = coopMatMulAdd(x, y, sum);
  }
  debugPrintfEXT("sum %d%g", 4, sum);
  coopMatStore(sum, d, 0, 16, row);
}
