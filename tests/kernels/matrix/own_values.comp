#version 450
// A matrix made of a value that differs between invocations: each invocation's own components are its
// value. The specification leaves this open; on devices that spread matrices over invocations it is so.
//! each TYPE T G R C USE = f32_a f32 float 16 16 A | f32_c f32 float 8 8 Accumulator
//!+  | s8_a s8 int8_t 16 32 A | s32_c s32 int 16 16 Accumulator
//! each SIZE W = w32 32 | w8 8
//! require cooperativeMatrix shaderInt8 storageBuffer8BitAccess
//! buffer map s32[$(R) * $(C)] binding 0 scratch
//! buffer results $(T)[$(R) * $(C)] binding 1 scratch
//! subgroup $(W) full
//! dispatch 1
//! check all_bits(k, 0, $(R) * $(C), @results[k] == @map[k] ? 0 - 1 : 0)
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = W) in;
layout(binding = 0) writeonly buffer Map { int map[]; };
layout(binding = 1) buffer Results { G results[]; };

void main() {
  // Component by component, and then at once.
  coopmat<G, gl_ScopeSubgroup, R, C, gl_MatrixUse$(USE)> one;
  for (int i = 0; i < one.length(); ++i) one[i] = G(gl_LocalInvocationID.x + 3);
  coopMatStore(one, results, 0, C, gl_CooperativeMatrixLayoutRowMajor);
  for (int i = int(gl_LocalInvocationID.x); i < R * C; i += W) map[i] = int(results[i]);
  coopmat<G, gl_ScopeSubgroup, R, C, gl_MatrixUse$(USE)> all =
      coopmat<G, gl_ScopeSubgroup, R, C, gl_MatrixUse$(USE)>(G(gl_LocalInvocationID.x + 3));
  coopMatStore(all, results, 0, C, gl_CooperativeMatrixLayoutRowMajor);
}
