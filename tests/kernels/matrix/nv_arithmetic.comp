#version 450
// GL_NV_cooperative_matrix: component-wise +, -, /, negation, and products with a scalar.
//! each NAME TYPE M G FEATURE = f16 f16 fcoopmatNV<16 float16_t shaderFloat16
//!+  | f32 f32 fcoopmatNV<32 float cooperativeMatrix | s32 s32 icoopmatNV<32 int shaderInt8
//!+  | u32 u32 ucoopmatNV<32 uint shaderInt8
//! require VK_NV_cooperative_matrix $(FEATURE) storageBuffer16BitAccess
//! require matrix 16 16 16 f32 f32 f32 f32
//! subgroup 32 full
//! buffer a $(TYPE)[256] binding 0 = random(1, 40, 1)
//! buffer b $(TYPE)[256] binding 1 = random(1, 7, 2)
//! buffer results $(TYPE)[1280] binding 2
//! dispatch 1
//! expect results[0..256] = a[n] + b[n]
//! expect results[256..512] = a[n] - b[n]
//! expect results[512..768] = -a[n]
//! expect results[768..1024] = a[n] * 3
//! expect results[1024..1280] = a[n] / b[n] within 2.5 ulp
#extension GL_NV_cooperative_matrix : require
#extension GL_NV_integer_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer ABuffer { G a[]; };
layout(binding = 1) readonly buffer BBuffer { G b[]; };
layout(binding = 2) writeonly buffer Results { G results[]; };

void main() {
  $(M), gl_ScopeSubgroup, 16, 16> x, y;
  coopMatLoadNV(x, a, 0, 16, false);
  coopMatLoadNV(y, b, 0, 16, false);
  coopMatStoreNV(x + y, results, 0, 16, false);
  coopMatStoreNV(x - y, results, 256, 16, false);
  coopMatStoreNV(-x, results, 512, 16, false);
  coopMatStoreNV(x * G(3), results, 768, 16, false);
  coopMatStoreNV(x / y, results, 1024, 16, false);
}
