#version 450
// GL_NV_cooperative_matrix: scope, rows, columns and column major from specialization constants.
//! each LAYOUT COLUMNS STRIDE = row 0 16 | column 1 32
//! require VK_NV_cooperative_matrix shaderInt8 storageBuffer8BitAccess
//! require matrix 16 16 32 s8 s8 s32 s32
//! buffer a s8[512] binding 0 = random(-128, 127, 1)
//! buffer b s8[512] binding 1 = random(-128, 127, 2)
//! buffer d s32[256] binding 2
//! spec 0 = u32 16
//! spec 1 = u32 16
//! spec 2 = u32 32
//! spec 3 = u32 3
//! spec 4 = u32 $(COLUMNS)
//! subgroup 32 full
//! dispatch 1
//! matmul d(16, 16) = a(16, 32) * b(32, 16 $(LAYOUT) stride $(STRIDE))
#extension GL_NV_cooperative_matrix : require
#extension GL_NV_integer_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 32) in;
layout(constant_id = 0) const uint kM = 1;
layout(constant_id = 1) const uint kN = 1;
layout(constant_id = 2) const uint kK = 1;
layout(constant_id = 3) const uint kScope = gl_ScopeDevice;
layout(constant_id = 4) const bool kColumns = false;
layout(binding = 0) readonly buffer ABuffer { int8_t a[]; };
layout(binding = 1) readonly buffer BBuffer { int8_t b[]; };
layout(binding = 2) writeonly buffer DBuffer { int d[]; };

void main() {
  icoopmatNV<8, kScope, kM, kK> x;
  icoopmatNV<8, kScope, kK, kN> y;
  coopMatLoadNV(x, a, 0, kK, false);
  coopMatLoadNV(y, b, 0, kColumns ? kK : kN, kColumns);
  icoopmatNV<32, kScope, kM, kN> z = icoopmatNV<32, kScope, kM, kN>(0);
  coopMatStoreNV(coopMatMulAddNV(x, y, z), d, 0, kN, false);
}
