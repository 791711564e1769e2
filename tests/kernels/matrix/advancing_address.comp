#version 450
// Device addresses that advance in every round of the loop.
//! require cooperativeMatrix shaderFloat16 storageBuffer16BitAccess
//! require matrix 16 16 16 f16 f16 f32 f32
//! subgroup 32 full
//! require bufferDeviceAddress shaderInt64
//! buffer a f16[1024] = random(-2.0, 2.0, 1)
//! buffer b f16[1024] = random(-2.0, 2.0, 2)
//! buffer d f32[256] binding 2
//! push u64 &a, u64 &b, u32 4
//! dispatch 1
//! matmul d(16, 16) = a(16, 64) * b(64, 16)
#extension GL_EXT_buffer_reference : require
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_bfloat16 : require
layout(local_size_x = 32) in;
layout(binding = 2) buffer DBuffer { float d[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor, column = gl_CooperativeMatrixLayoutColumnMajor;
#define MATRIX_A coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA>
#define MATRIX_B coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB>
#define ACCUMULATOR coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>

layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Halves { float16_t data[]; };
layout(push_constant) uniform Push {
  uint64_t a_address, b_address;
  uint steps;
};

void main() {
  ACCUMULATOR sum = ACCUMULATOR(0.0);
  uint64_t at_a = a_address, at_b = b_address;
  for (uint k = 0; k < steps; ++k, at_a += 32, at_b += 512) {
    MATRIX_A x;
    MATRIX_B y;
    coopMatLoad(x, Halves(at_a).data, 0, 64, row);
    coopMatLoad(y, Halves(at_b).data, 0, 16, row);
    sum = coopMatMulAdd(x, y, sum);
  }
  coopMatStore(sum, d, 0, 16, row);
}
