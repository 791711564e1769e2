#version 450
// Messages of a workgroup that is one wide instruction stream: of live invocations of all subgroups.
//! require cooperativeMatrix shaderFloat16 storageBuffer16BitAccess cooperativeMatrixWorkgroupScope
//! require subgroup basic
//! buffer matrix f16[256] binding 0 = i
//! subgroup 32 full
//! dispatch 1
//! expect matrix = 2 * i
//! prints "^(31|47|63|79|95|111|127|143|159|175|191|207|223|255) of subgroup [0-7] has .*\.5$" times 14
//! prints "^15 of subgroup 0 has 15.5$"
//! prints "^239 of subgroup 7 has 239.5$"
//! prints "^subgroup [0-7]$" times 32
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_debug_printf : require
layout(local_size_x = 256) in;
layout(binding = 0) buffer Matrix { float16_t elements[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor;

void main() {
  const uint i = gl_LocalInvocationIndex;
  coopmat<float16_t, gl_ScopeWorkgroup, 16, 16, gl_MatrixUseAccumulator> m;
  coopMatLoad(m, elements, 0, 16, row);
  if (i % 16 == 15) debugPrintfEXT("%d of subgroup %d has %g", i, gl_SubgroupID, float(m[0]) + 0.5);
  if (i % 32 < 4) debugPrintfEXT("subgroup %d", gl_SubgroupID);
  coopMatStore(m + m, elements, 0, 16, row);
}
