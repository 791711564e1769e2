#version 450
// Indices past the end of what an invocation holds of a matrix, and past the end of arrays of
// matrices: no memory outside of the variable is touched, and what is in bounds is as it was.
//! each SCOPE SIZE HELD = Subgroup 32 0 | Workgroup 64 64
//! each NAME FAR = near 64 | far 0x10000000 | before -1
//! require cooperativeMatrix cooperativeMatrixWorkgroupScope
//! require cooperativeMatrixFlexibleDimensions
//! require matrix_type 16 16 Accumulator f32 invocations $(HELD)
//! robust
//! buffer numbers f32[256] binding 0 = 1000 + i
//! buffer outputs f32[512] binding 1
//! buffer results f32[256] binding 2
//! subgroup 32 full
//! spec 0 = u32 $(SIZE)
//! push s32 $(FAR)
//! dispatch 1
//! expect outputs[0..256] = 1000 + i
//! expect outputs[256..512] = 1000 + n
//! expect results[0..$(SIZE)] = 0
//! expect results[$(SIZE)..$(SIZE)*2] = 1
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x_id = 0) in;
layout(binding = 0) readonly buffer Numbers { float numbers[]; };
layout(binding = 1) writeonly buffer Outputs { float outputs[]; };
layout(binding = 2) writeonly buffer Results { float results[]; };
layout(push_constant) uniform Push { int far; };
#define MATRIX coopmat<float, gl_Scope$(SCOPE), 16, 16, gl_MatrixUseAccumulator>
const int row = gl_CooperativeMatrixLayoutRowMajor;

void main() {
  const int i = int(gl_LocalInvocationIndex);
  float before[4] = float[](1, 1, 1, 1);
  MATRIX m, several[2];
  float behind[4] = float[](1, 1, 1, 1);
  coopMatLoad(m, numbers, 0, 16, row);
  several[0] = several[1] = m;
  m[far] = 5;
  m[far < 0 ? far - i : far + i] = 6;
  results[i] = m[far] + m[far < 0 ? far - i : far + i];
  coopMatStore(m, outputs, 0, 16, row);
  several[far][i % 4 + 1000] = 7;
  several[far][far] = 8;
  MATRIX some = several[far];
  results[gl_WorkGroupSize.x + i] = some[0] >= 1000 && some[0] < 1256 ? before[i % 4] * behind[i % 4] : 0;
  coopMatStore(several[0], outputs, 256, 16, row);
}
