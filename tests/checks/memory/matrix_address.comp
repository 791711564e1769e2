#version 450
// Two blocks of columns at a device address; there is only half of the second.
//! debug
//! each BUG = 1 | 0
//! require bufferDeviceAddress
//! setting check memory
//! require matrix 16 16 16 f32 f32 f32 f32
//! subgroup 32 full
//! buffer a f32[512 - 128 * $(BUG)] = 1 + i
//! buffer results f32[512] binding 0
//! push u64 &a
//! dispatch 1
//! finding memory matrix-bounds times $(BUG) "load"
//! expect results = i >= 384 && $(BUG) ? 0 : 1 + i
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 32) in;
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer A { float a[]; };
layout(binding = 0) writeonly buffer Results { float results[]; };
layout(push_constant) uniform Push { A from; };
const int order = gl_CooperativeMatrixLayoutColumnMajor;

void main() {
  for (uint k = 0; k < 2; ++k) {
    coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> m;
    coopMatLoad(m, from.a, 256 * k, 16, order);  // finding
    coopMatStore(m, results, 256 * k, 16, order);
  }
}
