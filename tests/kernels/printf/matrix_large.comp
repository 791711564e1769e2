#version 450
// debugPrintfEXT of matrices that are too large for registers, whole, and of two in a message.
//! each SCOPE HELD ROWS COLUMNS FIRST LAST END = Subgroup 0 64 64 63 4031 4095
//!+  | Workgroup 128 128 256 255 32511 32767
//! require cooperativeMatrix cooperativeMatrixFlexibleDimensions cooperativeMatrixWorkgroupScope
//! require matrix_type $(ROWS) $(COLUMNS) Accumulator f32 invocations $(HELD)
//! require matrix_type $(ROWS) $(COLUMNS) Accumulator s32 invocations $(HELD)
//! buffer data f32[$(ROWS) * $(COLUMNS)] binding 0 = i
//! subgroup 32 full
//! dispatch 1
//! prints "^m[^,0-9]+0[.]0, +1[.]0, .*, +$(FIRST)[.]0[^,] *[0-9.]+, .*, +$(LAST)[.]0[^,] *[0-9.]+, .*, $(END)[.]0$"
//! prints "^integers[^,0-9]+1, +2, .*[^,0-9]+[0-9]+, .* $(END), [0-9]+.and[^,0-9]+0, +1, +2, .*, $(END)$"
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_debug_printf : require
layout(local_size_x = 128) in;
layout(binding = 0) readonly buffer Data { float data[]; };
#define MATRIX(TYPE) coopmat<TYPE, gl_Scope$(SCOPE), $(ROWS), $(COLUMNS), gl_MatrixUseAccumulator>

void main() {
  MATRIX(float) m;
  coopMatLoad(m, data, 0, $(COLUMNS), gl_CooperativeMatrixLayoutRowMajor);
  if (gl_LocalInvocationIndex > 31) return;
  debugPrintfEXT("m%.1f", m);
  debugPrintfEXT("integers%dand%g", MATRIX(int)(m) + MATRIX(int)(1), m);
}
