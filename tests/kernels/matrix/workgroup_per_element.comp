#version 450
// Functions of elements of a workgroup's matrices: effects, operands of each invocation's, and more
// places than elements.
//! each SIZE R C = 24x24 24 24 | 8x8 8 8 | 32x64 32 64
//! each WIDTH = 64 | 128 | 256 | 1024
//! require cooperativeMatrix
//! require cooperativeMatrixWorkgroupScope cooperativeMatrixPerElementOperations
//! require matrix_type $(R) $(C) Accumulator f32 invocations $(WIDTH)
//! setting component_layout native
//! subgroup 32 full
//! buffer data f32[$(R) * $(C)] binding 0 = random(0, 40, 1)
//! buffer result f32[$(R) * $(C)] binding 1
//! buffer seen u32[$(R) * $(C)] binding 2 = 0
//! dispatch 1
//! expect result = data[i] * 2 + (i % 3 == 0 ? i / $(C) : i % $(WIDTH))
//! expect seen = 1
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = WIDTH) in;
layout(binding = 0) readonly buffer Data { float data[]; };
layout(binding = 1) writeonly buffer Result { float result[]; };
layout(binding = 2) buffer Seen { uint seen[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor;

float choose(const in uint32_t r, const in uint32_t c, const in float x, const in uint id,
             const in float y) {
  atomicAdd(seen[r * C + c], 1);
  if ((r * C + c) % 3 == 0) return x + y + float(r);
  return x + y + float(id);
}

void main() {
  coopmat<float, gl_ScopeWorkgroup, R, C, gl_MatrixUseAccumulator> m;
  coopMatLoad(m, data, 0, C, row);
  coopMatPerElementNV(m, m, choose, gl_LocalInvocationIndex, m);
  coopMatStore(m, result, 0, C, row);
}
