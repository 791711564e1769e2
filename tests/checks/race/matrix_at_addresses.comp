#version 450
// A matrix is loaded at a device address while another workgroup stores one to the rows behind it.
// With the first row of the other half too early, one row is loaded and stored at once.
//! debug
//! each BUG ROW = 1 15 | 0 16
//! setting check race
//! require cooperativeMatrix bufferDeviceAddress
//! require matrix_type 16 16 Accumulator f32
//! subgroup 32 full
//! buffer data f32[512] = random(-9, 9, 1)
//! buffer results f32[256] = 0
//! push u64 &data, u64 &results, u64 &data + 64 * $(ROW)
//! dispatch 2
//! finding race device-memory times $(BUG)
//! expect data = i >= 16 * $(ROW) && i < 16 * $(ROW) + 256 ? 7 : data[i]
//! expect results = i >= 16 * $(ROW) ? @results[i] : data[i]
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 32) in;
layout(buffer_reference, std430, buffer_reference_align = 64) buffer Numbers { float numbers[]; };
layout(push_constant) uniform Push { Numbers source, results, target; };
const int row = gl_CooperativeMatrixLayoutRowMajor;

void main() {
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> m;
  if (gl_WorkGroupID.x == 0) {
    coopMatLoad(m, source.numbers, 0, 16, row);  // finding
    coopMatStore(m, results.numbers, 0, 16, row);
  } else {
    m = coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>(7.0);
    coopMatStore(m, target.numbers, 0, 16, row);  // finding
  }
}
