#version 450
// Components of matrices of Workgroup scope: each invocation of the workgroup reads, changes and
// writes its own, through variables and as values; length() is by the workgroup's invocations.
//! each SIZE = 32 | 64 | 128 | 256 | 512 | 1024
//! each NAME TYPE G FEATURE = f16 f16 float16_t shaderFloat16 | s32 s32 int shaderInt8
//! require cooperativeMatrix $(FEATURE) storageBuffer16BitAccess cooperativeMatrixWorkgroupScope
//! require matrix_type 32 32 Accumulator $(TYPE) invocations $(SIZE)
//! require matrix_type 32 32 Accumulator u32 invocations $(SIZE)
//! buffer data $(TYPE)[1024] binding 0 = random(0, 40, 1)
//! buffer result $(TYPE)[1024] binding 1
//! buffer lengths u32[1024] binding 2
//! buffer places u32[1024] binding 3 scratch
//! spec 0 = u32 $(SIZE)
//! subgroup 32 full
//! dispatch 1
//! expect result = data[i] * 3 + 1
//! expect lengths[0..$(SIZE)] = 1024 / $(SIZE)
//! check sum(k, 0, 1024, @places[k] == 0 ? 1 : 0) == 1024 / $(SIZE)
//! check greatest(k, 0, 1024, @places[k]) == $(SIZE) - 1
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x_id = 0) in;
layout(binding = 0) readonly buffer Data { G data[]; };
layout(binding = 1) writeonly buffer Result { G result[]; };
layout(binding = 2) writeonly buffer Lengths { uint lengths[]; };
layout(binding = 3) writeonly buffer Places { uint places[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor;

void main() {
  const uint i = gl_LocalInvocationIndex;
  coopmat<G, gl_ScopeWorkgroup, 32, 32, gl_MatrixUseAccumulator> m;
  coopMatLoad(m, data, 0, 32, row);
  for (int k = 1; k < m.length(); ++k) m[k] = m[k] * G(3) + G(1);
  m[0] = m[0] * G(3) + G(1);
  lengths[i] = m.length();
  coopMatStore(m, result, 0, 32, row);

  // Who holds what.
  coopmat<uint, gl_ScopeWorkgroup, 32, 32, gl_MatrixUseAccumulator> owner;
  for (int k = 0; k < owner.length(); ++k) owner[k] = i;
  coopMatStore(owner, places, 0, 32, row);
}
