#version 450
// debugPrintfEXT of matrices of Workgroup scope, once for the workgroup, and beside those of Subgroup
// scope, once for each subgroup; in divergent branches, and between other messages.
//! require cooperativeMatrix shaderFloat16 storageBuffer16BitAccess cooperativeMatrixWorkgroupScope
//! require matrix_type 16 16 Accumulator f16
//! require matrix_type 16 16 Accumulator f16 invocations 128
//! require subgroup basic
//! require bufferDeviceAddress shaderInt64
//! buffer data f16[512] binding 0 = i
//! push u64 &data
//! subgroup 32 full
//! dispatch 1
//! prints "^whole by 0.  0,   1,.* 255$"
//! prints "^one by 101.  0,   1,.* 255$"
//! prints "^some by 70 of 2.  0,   1,.* 255$"
//! prints "^own by 0 of 0, 0x[0-9a-f]+.  0,   1,.* 255$"
//! prints "^own by 32 of 1, 0x[0-9a-f]+. 16,  17,.* 271$"
//! prints "^own by 64 of 2, 0x[0-9a-f]+. 32,  33,.* 287$"
//! prints "^own by 96 of 3, 0x[0-9a-f]+. 48,  49,.* 303$"
//! prints "^both by 70.  0,   1,.* 255.and. 32,  33,.* 287$"
//! prints "^both by 96.  0,   1,.* 255.and. 48,  49,.* 303$"
//! prints "^step 0 of 0.  0,   1,"
//! prints "^step 1 of 0.  0,   2,"
//! prints "^lone [0-9]+$" times 128
//! order "^whole" "^one" "^some" "^own by 0" "^both by 70" "^step 0" "^lone 0$" "^lone 127$" "^step 1"
//! order "^own by 96" "^both by 96" "^step 0 of 0" "^lone 96$"
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_debug_printf : require
layout(local_size_x = 128) in;
layout(buffer_reference, buffer_reference_align = 2) buffer Address { float16_t first; };
layout(binding = 0) readonly buffer Data { float16_t data[]; };
layout(push_constant) uniform Push { Address address; };
const int row = gl_CooperativeMatrixLayoutRowMajor;

void main() {
  const uint i = gl_LocalInvocationIndex;
  coopmat<float16_t, gl_ScopeWorkgroup, 16, 16, gl_MatrixUseAccumulator> w;
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> s;
  coopMatLoad(w, data, 0, 16, row);
  coopMatLoad(s, data, gl_SubgroupID * 16, 16, row);
  debugPrintfEXT("whole by %d%g", i, w);
  if (i == 101) debugPrintfEXT("one by %d%g", i, w);
  if (i >= 70) debugPrintfEXT("some by %d of %d%g", i, gl_SubgroupID, w);
  debugPrintfEXT("own by %d of %d, %p%g", i, gl_SubgroupID, address, s);
  if (i >= 70) debugPrintfEXT("both by %d%gand%g", i, w, s);
  for (uint k = 0; k < 2; ++k) {
    debugPrintfEXT("step %d of %d%g", k, i, w);
    w = w + w;
    if (k == 0) debugPrintfEXT("lone %d", i);
  }
}
