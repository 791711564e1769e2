#version 450
// Workgroups whose size in x is no multiple of the subgroup size, against Vulkan's rule, but whose
// subgroups are full all the same: functions of elements, reductions and components reach every
// element.
//! each SIZE X Y Z = 16x8 16 8 1 | 4x4x8 4 4 8 | 1x128 1 128 1
//! tolerated
//! require cooperativeMatrix cooperativeMatrixReductions cooperativeMatrixPerElementOperations
//! require matrix_type 16 16 Accumulator f32
//! require subgroup basic
//! subgroup 32
//! buffer data f32[256] binding 0 = random(-8, 8, 1)
//! buffer changed f32[1024] binding 1
//! buffer rows f32[1024] binding 2
//! buffer components f32[1024] binding 3
//! dispatch 1
//! expect changed = data[i % 256] * (i % 256 / 16) + i % 16
//! expect rows = sum(k, 0, 16, data[i % 256 / 16 * 16 + k]) within 1e-4 abs
//! expect components = data[i % 256] * 3 + i / 256
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = X, local_size_y = Y, local_size_z = Z) in;
layout(binding = 0) readonly buffer Data { float data[]; };
layout(binding = 1) writeonly buffer Changed { float changed[]; };
layout(binding = 2) writeonly buffer Rows { float rows[]; };
layout(binding = 3) writeonly buffer Components { float components[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor;

float add(const in float x, const in float y) { return x + y; }
float change(const in uint r, const in uint c, const in float x) { return x * r + c; }

void main() {
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> m, result;
  coopMatLoad(m, data, 0, 16, row);
  coopMatPerElementNV(result, m, change);
  coopMatStore(result, changed, gl_SubgroupID * 256, 16, row);
  coopMatReduceNV(result, m, gl_CooperativeMatrixReduceRowNV, add);
  coopMatStore(result, rows, gl_SubgroupID * 256, 16, row);
  for (int i = 0; i < m.length(); ++i) m[i] = m[i] * 3 + gl_SubgroupID;
  coopMatStore(m, components, gl_SubgroupID * 256, 16, row);
}
