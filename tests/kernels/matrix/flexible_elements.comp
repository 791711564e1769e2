#version 450
// Components, conversions, selections and copies of matrices that live in memory.
//! each SIZE R C = 32x48 32 48 | 16x16 16 16 | 80x64 80 64 | 256x256 256 256
//! require cooperativeMatrix shaderFloat16 storageBuffer16BitAccess
//! require cooperativeMatrixFlexibleDimensions
//! require matrix_type $(R) $(C) Accumulator f32
//! require matrix_type $(R) $(C) Accumulator f16
//! setting component_layout native
//! subgroup 32 full
//! buffer data f32[$(R) * $(C)] binding 0 = random(0, 40, 1)
//! buffer elements f32[$(R) * $(C)] binding 1
//! buffer halves f16[$(R) * $(C)] binding 2
//! buffer chosen f32[$(R) * $(C)] binding 3
//! buffer filled f32[$(R) * $(C)] binding 4
//! dispatch 1
//! expect elements = i % 3 == 0 ? data[i] * 3 + 1 : data[i] * 3
//! expect halves = data[i] * 0.5
//! expect chosen = data[i] + 4 + i % 32
//! expect filled = i % 32
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Data { float data[]; };
layout(binding = 1) writeonly buffer Elements { float elements[]; };
layout(binding = 2) writeonly buffer Halves { float16_t halves[]; };
layout(binding = 3) writeonly buffer Chosen { float chosen[]; };
layout(binding = 4) writeonly buffer Filled { float filled[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor;
#define MATRIX(T) coopmat<T, gl_ScopeSubgroup, R, C, gl_MatrixUseAccumulator>

void main() {
  MATRIX(float) m;
  coopMatLoad(m, data, 0, C, row);
  MATRIX(float) changed = m * 3.0;
  for (int k = 0; k < m.length(); ++k) {
    const uint element = k * 32 + gl_SubgroupInvocationID;
    if (element % 3 == 0) changed[k] += 1.0;
  }
  coopMatStore(changed, elements, 0, C, row);
  coopMatStore(MATRIX(float16_t)(m * 0.5), halves, 0, C, row);
  MATRIX(float) own = MATRIX(float)(float(gl_SubgroupInvocationID));
  MATRIX(float) choice = changed;
  if (gl_WorkGroupID.x == 0) choice = m;
  MATRIX(float) pair[2];
  pair[0] = choice;
  pair[1] = own;
  for (int round = 0; round < 4; ++round) {
    pair[round % 2] = pair[0] + pair[1] * float(round == 0);
    if (round == 0) pair[1] = own;
    pair[0] = pair[0] + MATRIX(float)(1.0);
    if (round > 0) pair[1] = own;
  }
  coopMatStore(pair[0], chosen, 0, C, row);
  coopMatStore(own, filled, 0, C, row);
}
