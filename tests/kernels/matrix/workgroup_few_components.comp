#version 450
// A matrix of Workgroup scope with fewer components than invocations: length() is 1 in all of them,
// and those that hold no component may reach it as the others do.
//! require cooperativeMatrix cooperativeMatrixWorkgroupScope
//! require matrix_type 8 8 Accumulator f32 invocations 128
//! buffer data f32[64] binding 0 = random(-1.0, 1.0, 1)
//! buffer result f32[64] binding 1
//! subgroup 32 full
//! dispatch 1
//! expect result = data[i]
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 128) in;
layout(binding = 0) readonly buffer Data { float data[]; };
layout(binding = 1) writeonly buffer Result { float result[]; };
#define M coopmat<float, gl_ScopeWorkgroup, 8, 8, gl_MatrixUseAccumulator>

void main() {
  M from[2];
  M to;
  coopMatLoad(from[0], data, 0, 8, gl_CooperativeMatrixLayoutRowMajor);
  coopMatLoad(from[1], data, 0, 8, gl_CooperativeMatrixLayoutRowMajor);
  for (int c = 0; c < to.length(); ++c) to[c] = from[1][c];
  coopMatStore(to, result, 0, 8, gl_CooperativeMatrixLayoutRowMajor);
}
