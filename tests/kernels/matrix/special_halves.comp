#version 450
// Infinities, NaNs, subnormal, negative zero and large f16 in a loop over K of 16 tiles. What is finite
// has exact sums, whatever the order in which they are added; then a product by a column of zeros.
//! each BL ROWS = row 1 | column 0
//! require cooperativeMatrix shaderFloat16 storageBuffer16BitAccess
//! require matrix 16 16 16 f16 f16 f32 f32
//! subgroup 32 full
//! buffer a f16[4096] binding 0 = 0
//! fill a[0..256] = i == 77 ? inf : 1
//! fill a[256..512] = i == 300 ? nan : 1
//! fill a[512..768] = i == 520 ? inf : i == 760 ? -inf : 1
//! fill a[768..1024] = from_bits_f16(1)
//! fill a[1024..1280] = -from_bits_f16(0x3ff)
//! fill a[1280..1536] = 65504
//! fill a[1536..1792] = from_bits_f16(0x8000)
//! fill a[1792..2048] = 1 + exp2(-10)
//! fill a[2048..2304] = n % 2 == 0 ? 2047 : -2045
//! buffer b f16[4096] binding 1 = ($(ROWS) ? i % 16 : i / 256) == 15 ? 0 : 1
//! buffer d f32[256] binding 2
//! dispatch 1
//! expect d[0..15] = inf
//! expect d[15] = nan
//! expect d[16..32] = nan
//! expect d[32..48] = nan
//! expect d[48..63] = exp2(-16)
//! expect d[64..79] = -256 * 1023 * exp2(-24)
//! expect d[80..95] = 256 * 65504
//! expect d[112..127] = 256 + 0.25
//! expect d[128..143] = 256
//! expect d[63..256 step 16] = 0
//! expect d[96..111] = 0
//! expect d[144..256] = 0
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer ABuffer { float16_t a[]; };
layout(binding = 1) readonly buffer BBuffer { float16_t b[]; };
layout(binding = 2) writeonly buffer DBuffer { float d[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor, column = gl_CooperativeMatrixLayoutColumnMajor;
#define ACCUMULATOR coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>

void main() {
  ACCUMULATOR sum = ACCUMULATOR(0.0);
  for (uint k = 0; k < 256; k += 16) {
    coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> x;
    coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB> y;
    coopMatLoad(x, a, k, 256, row);
    coopMatLoad(y, b, BL == row ? k * 16 : k, BL == row ? 16 : 256, BL);
    sum = coopMatMulAdd(x, y, sum);
  }
  coopMatStore(sum, d, 0, 16, row);
}
