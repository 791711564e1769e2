#version 450
// GL_NV_cooperative_matrix: one multiply-add of every kind, with A, B and the accumulator in both
// layouts. Types have no use; the multiply-add tells A from B.
//! each ROW A C MA GA MC GC K FEATURE = f16_f32 f16 f32 fcoopmatNV<16 float16_t fcoopmatNV<32 float 16 shaderFloat16
//!+  | f16_f16 f16 f16 fcoopmatNV<16 float16_t fcoopmatNV<16 float16_t 16 shaderFloat16
//!+  | f32_f32 f32 f32 fcoopmatNV<32 float fcoopmatNV<32 float 16 cooperativeMatrix
//!+  | s8_s32 s8 s32 icoopmatNV<8 int8_t icoopmatNV<32 int 32 shaderInt8
//!+  | u8_u32 u8 u32 ucoopmatNV<8 uint8_t ucoopmatNV<32 uint 32 shaderInt8
//! each ORDER AL BL CL = rrr row row row | rcc row column column | crc column row column | ccr column column row
//! require VK_NV_cooperative_matrix $(FEATURE) storageBuffer16BitAccess storageBuffer8BitAccess
//! require matrix 16 16 $(K) $(A) $(A) $(C) $(C)
//! subgroup 32 full
//! buffer a $(A)[16 * $(K)] binding 0 = random(-20.0, 20.0, 1)
//! buffer b $(A)[$(K) * 16] binding 1 = random(-20.0, 20.0, 2)
//! buffer c $(C)[256] binding 2 = random(-100.0, 100.0, 3)
//! buffer d $(C)[256] binding 3
//! dispatch 1
//! matmul d(16, 16 $(CL)) = a(16, $(K) $(AL)) * b($(K), 16 $(BL)) + c(16, 16 $(CL))
#extension GL_NV_cooperative_matrix : require
#extension GL_NV_integer_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer ABuffer { GA a[]; };
layout(binding = 1) readonly buffer BBuffer { GA b[]; };
layout(binding = 2) readonly buffer CBuffer { GC c[]; };
layout(binding = 3) writeonly buffer DBuffer { GC d[]; };
const bool row = false, column = true;

void main() {
  $(MA), gl_ScopeSubgroup, 16, K> x;
  $(MA), gl_ScopeSubgroup, K, 16> y;
  $(MC), gl_ScopeSubgroup, 16, 16> z;
  coopMatLoadNV(x, a, 0, AL == row ? K : 16, AL);
  coopMatLoadNV(y, b, 0, BL == row ? 16 : K, BL);
  coopMatLoadNV(z, c, 0, 16, CL);
  coopMatStoreNV(coopMatMulAddNV(x, y, z), d, 0, 16, CL);
}
