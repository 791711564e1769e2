#version 450
// debugPrintfEXT of matrices in branches that part of their holders take, in loops, of those whose
// first invocations have returned, and between other messages: once for a subgroup, by its first
// live invocation, in the order of the code.
//! require cooperativeMatrix shaderFloat16 storageBuffer16BitAccess
//! require matrix_type 16 16 Accumulator f16
//! require subgroup basic
//! buffer data f16[256] binding 0 = i
//! subgroup 32 full
//! dispatch 1
//! prints "^before [0-9]+$" times 64
//! prints "^all of 0.  0,   1,.* 255$"
//! prints "^all of 32.  0,   1,.* 255$"
//! prints "^after [0-9]+$" times 64
//! prints "^odd 1.  0,"
//! prints "^odd 33.  0,"
//! prints "^one 45.  0,   1,   2,"
//! prints "^round 0 of 0.  0,   1,.* 255$"
//! prints "^round 0 of 32.  0,   1,.* 255$"
//! prints "^round 1 of 0.  0,   2,.* 510$"
//! prints "^round 1 of 32.  0,   2,.* 510$"
//! prints "^round 2 of 0.   0,    4,.* 1020$"
//! prints "^round 2 of 32.   0,    4,.* 1020$"
//! prints "^long 1 of 1."
//! prints "^long 2 of 2."
//! prints "^long 3 of 3[^0-9]"
//! prints "^long 1 of 33."
//! prints "^long 2 of 34."
//! prints "^long 3 of 35."
//! prints "^late 40."
//! prints "^late 5."
//! prints "^end [0-9]+$" times 51
//! order "^before 31" "^all of 0" "^after 0$" "^odd 1" "^round 0 of 0" "^round 1 of 0" "^round 2 of 0" "^long 1 of 1" "^long 2 of 2" "^long 3 of 3" "^late 5" "^end 5$" "^end 31"
//! order "^before 63" "^all of 32" "^after 32$" "^odd 33" "^one 45" "^round 0 of 32" "^round 2 of 32" "^long 1 of 33" "^long 3 of 35" "^late 40" "^end 40$" "^end 63"
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_debug_printf : require
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { float16_t data[]; };

void main() {
  const uint i = gl_LocalInvocationIndex;
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> m;
  coopMatLoad(m, data, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
  debugPrintfEXT("before %d", i);
  debugPrintfEXT("all of %d%g", i, m);
  debugPrintfEXT("after %d", i);
  if (i % 2 == 1) debugPrintfEXT("odd %d%g", i, m);
  if (i == 45) debugPrintfEXT("one %d%g", i, m);
  for (int k = 0; k < 3; ++k) {
    debugPrintfEXT("round %d of %d%g", k, i, m);
    m = m + m;
  }
  for (uint k = 1; k <= i % 4; ++k) debugPrintfEXT("long %d of %d%g", k, i, m);
  if (i < 5 || (i >= 32 && i < 40)) return;
  debugPrintfEXT("late %d%g", i, m);
  debugPrintfEXT("end %d", i);
}
