#version 450
// Operands that vary: each element is given what the invocation has that holds it.
//! each MAPPING = native | nvidia | ptx
//! each USE = A | B | Accumulator
//! require cooperativeMatrix
//! require cooperativeMatrixPerElementOperations
//! require matrix_type 16 16 $(USE) f32
//! setting component_layout $(MAPPING)
//! subgroup 32 full
//! buffer called f32[256] binding 0
//! buffer held f32[256] binding 1 scratch
//! dispatch 1
//! expect called = @held[i] * 3 + 100 + i
//! check sum(k, 0, 256, @held[k]) == 8 * sum(k, 0, 32, k)
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
layout(binding = 0) writeonly buffer Called { float called[]; };
layout(binding = 1) writeonly buffer Held { float held[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor;

float add(const in uint32_t r, const in uint32_t c, const in float x, const in vec2 numbers,
          const in float y) {
  return x + numbers.x * numbers.y + y + float(r * 16 + c);
}

void main() {
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUse$(USE)> m =
      coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUse$(USE)>(100.0);
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUse$(USE)> own = m;
  float id = float(gl_LocalInvocationIndex);
  for (int k = 0; k < own.length(); ++k) own[k] = id;
  coopMatPerElementNV(m, m, add, vec2(id, 2), own);
  coopMatStore(m, called, 0, 16, row);
  coopMatStore(own, held, 0, 16, row);
}
