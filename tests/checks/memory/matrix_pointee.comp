#version 450
// Element and stride count what the pointer leads to, here vectors of 16 bytes; one vector too far.
// After the test ElementSize of GPU-assisted validation's cooperative matrices.
//! debug
//! each BUG = 1 | 0
//! require matrix 16 16 16 f16 f16 f32 f32 shaderFloat16 storageBuffer16BitAccess
//! setting check memory
//! subgroup 32 full
//! buffer a f16[512] binding 0 = i
//! buffer results f16[256] binding 1
//! push u32 32 + $(BUG)
//! dispatch 1
//! finding memory matrix-bounds times $(BUG) "load"
//! expect results = i >= 248 && $(BUG) ? 0 : 256 + 8 * $(BUG) + i
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer A { uvec4 a[]; };
layout(binding = 1) writeonly buffer Results { float16_t results[]; };
layout(push_constant) uniform Push { uint first; };

void main() {
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> m;
  coopMatLoad(m, a, first, 2, gl_CooperativeMatrixLayoutRowMajor);  // finding
  coopMatStore(m, results, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
}
