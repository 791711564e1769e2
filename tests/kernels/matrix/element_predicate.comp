#version 450
// Components changed under divergent conditions and divergent indices.
//! require cooperativeMatrix
//! require matrix 16 16 16 f32 f32 f32 f32
//! subgroup 32 full
//! buffer data f32[256] binding 0 = random(-5, 5, 1)
//! buffer result f32[256] binding 1
//! dispatch 1
//! expect result = data[i] < 0 ? 0 : data[i] > 3 ? 3 : data[i]
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_bfloat16 : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Data { float data[]; };
layout(binding = 1) writeonly buffer Result { float result[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor, column = gl_CooperativeMatrixLayoutColumnMajor;

void main() {
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> m;
  coopMatLoad(m, data, 0, 16, row);
  for (int k = 0; k < m.length(); ++k) {
    // Each invocation walks its components from another start.
    int at = (k + int(gl_LocalInvocationIndex)) % m.length();
    if (m[at] < 0) {
      m[at] = 0;
    } else if (m[at] > 3) {
      m[at] = 3;
    }
  }
  coopMatStore(m, result, 0, 16, row);
}
