#version 450
// Row and column of each component, by constant, uniform and varying index.
//! each MAPPING = native | nvidia | ptx
//! each SIZE ROWS COLUMNS = 16x16 16 16 | 16x8 16 8
//! require cooperativeMatrix shaderFloat16
//! require matrix 16 8 16 f16 f16 f32 f32
//! require cooperativeMatrixGetCoordinate VK_EXT_cooperative_matrix_maintenance1
//! setting component_layout $(MAPPING)
//! subgroup 32 full
//! buffer data f32[260] binding 0 = random(-100, 100, 1)
//! buffer copy f32[260] binding 1 = 0
//! buffer again f32[260] binding 2 = 0
//! buffer first f32[260] binding 3 = 0
//! dispatch 1
//! expect copy[0..$(ROWS) * $(COLUMNS)] = data[i]
//! expect copy[$(ROWS) * $(COLUMNS)..260] = 0
//! expect again[0..$(ROWS) * $(COLUMNS)] = data[i]
//! expect again[$(ROWS) * $(COLUMNS)..260] = 0
//! expect first = @first[i] == 0 ? 0 : data[i] + 200
//! check count(k, 0, 260, @first[k] > 0) == 32
#extension GL_KHR_cooperative_matrix : require
#extension GL_EXT_cooperative_matrix_maintenance1 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Data { float data[]; };
layout(binding = 1) writeonly buffer Copy { float copy[]; };
layout(binding = 2) writeonly buffer Again { float again[]; };
layout(binding = 3) writeonly buffer First { float first[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor;

void main() {
  coopmat<float, gl_ScopeSubgroup, ROWS, COLUMNS, gl_MatrixUseAccumulator> m;
  coopMatLoad(m, data, 0, COLUMNS, row);
  for (uint k = 0; k < m.length(); ++k) {
    uvec2 at = coopMatGetCoordinateEXT(m, k);
    copy[at.x * COLUMNS + at.y] = m[k];
    uint own = (k + gl_LocalInvocationIndex) % m.length();
    at = coopMatGetCoordinateEXT(m, own);
    again[at.x * COLUMNS + at.y] = m[own];
  }
  uvec2 at = coopMatGetCoordinateEXT(m, 0);
  first[at.x * COLUMNS + at.y] = m[0] + 200;
}
