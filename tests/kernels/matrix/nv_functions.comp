#version 450
// GL_NV_cooperative_matrix: matrices as parameters, results, members of structures, elements of
// arrays, and in variables that control flow changes.
//! each OPT = off | on
//! optimize $(OPT)
//! require VK_NV_cooperative_matrix
//! require matrix 16 16 16 f32 f32 f32 f32
//! subgroup 32 full
//! buffer a f32[256] binding 0 = random(-4, 4, 1)
//! buffer b f32[256] binding 1 = random(-4, 4, 2)
//! buffer twice f32[256] = 2 * a[i]
//! buffer one f32[256] = 1
//! buffer d f32[256] binding 2
//! push u32 1
//! dispatch 1
//! matmul d(16, 16) = twice(16, 16) * b(16, 16) + one(16, 16)
#extension GL_NV_cooperative_matrix : require
#extension GL_NV_integer_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#pragma use_vulkan_memory_model
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer ABuffer { float a[]; };
layout(binding = 1) readonly buffer BBuffer { float b[]; };
layout(binding = 2) writeonly buffer DBuffer { float d[]; };
layout(push_constant) uniform Push { uint twofold; };
#define MATRIX fcoopmatNV<32, gl_ScopeSubgroup, 16, 16>
const MATRIX kOnes = MATRIX(1.0);

struct Operands {
  MATRIX sides[2];
};

Operands loadOperands() {
  Operands operands;
  coopMatLoadNV(operands.sides[0], a, 0, 16, false);
  coopMatLoadNV(operands.sides[1], b, 0, 16, false);
  return operands;
}

void twice(inout MATRIX m) { m = m + m; }

MATRIX multiply(Operands operands, MATRIX sum) {
  return coopMatMulAddNV(operands.sides[0], operands.sides[1], sum);
}

void main() {
  Operands operands = loadOperands();
  if (twofold != 0) {
    twice(operands.sides[0]);
  } else {
    operands.sides[0] = -operands.sides[0];
  }
  coopMatStoreNV(multiply(operands, kOnes), d, 0, 16, false);
}
