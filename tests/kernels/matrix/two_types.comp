#version 450
// Products of two rows of the table in the same loop.
//! require cooperativeMatrix shaderFloat16 shaderInt8 storageBuffer16BitAccess storageBuffer8BitAccess
//! require matrix 16 16 16 f16 f16 f32 f32
//! require matrix 16 16 32 s8 s8 s32 s32
//! buffer a f16[1024] binding 0 = random(-2.0, 2.0, 1)
//! buffer b f16[1024] binding 1 = random(-2.0, 2.0, 2)
//! buffer s s8[2048] binding 2 = random(-128, 127, 3)
//! buffer t s8[2048] binding 3 = random(-128, 127, 4)
//! buffer d f32[256] binding 4
//! buffer e s32[256] binding 5
//! subgroup 32 full
//! dispatch 1
//! matmul d(16, 16) = a(16, 64) * b(64, 16)
//! matmul e(16, 16 column) = s(16, 128) * t(128, 16 column)
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_bfloat16 : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer ABuffer { float16_t a[]; };
layout(binding = 1) readonly buffer BBuffer { float16_t b[]; };
layout(binding = 2) readonly buffer SBuffer { int8_t s[]; };
layout(binding = 3) readonly buffer TBuffer { int8_t t[]; };
layout(binding = 4) writeonly buffer DBuffer { float d[]; };
layout(binding = 5) writeonly buffer EBuffer { int e[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor, column = gl_CooperativeMatrixLayoutColumnMajor;
#define FLOATS coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>
#define INTEGERS coopmat<int, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>

void main() {
  FLOATS sum = FLOATS(0.0);
  INTEGERS count = INTEGERS(0);
  for (uint k = 0; k < 4; ++k) {
    coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> x;
    coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB> y;
    coopmat<int8_t, gl_ScopeSubgroup, 16, 32, gl_MatrixUseA> v;
    coopmat<int8_t, gl_ScopeSubgroup, 32, 16, gl_MatrixUseB> w;
    coopMatLoad(x, a, k * 16, 64, row);
    coopMatLoad(v, s, k * 32, 128, row);
    coopMatLoad(y, b, k * 256, 16, row);
    coopMatLoad(w, t, k * 32, 128, column);
    count = coopMatMulAdd(v, w, count);
    sum = coopMatMulAdd(x, y, sum);
  }
  coopMatStore(sum, d, 0, 16, row);
  coopMatStore(count, e, 0, 16, column);
}
