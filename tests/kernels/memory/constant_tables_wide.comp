#version 450
// Arrays of constants in workgroups that are one wide instruction stream, read at places that each
// invocation knows at compile time, in order and not, under conditions that it knows and not.
//! each SIZE = 64 | 128 | 256
//! require cooperativeMatrix shaderFloat16 storageBuffer16BitAccess cooperativeMatrixWorkgroupScope
//! buffer data u32[256] binding 0 = random(0, 30, 1)
//! buffer results u32[1024] binding 1 = 0
//! buffer matrix f16[256] binding 2 = i
//! spec 0 = u32 $(SIZE)
//! subgroup 32 full
//! dispatch 256 / $(SIZE)
//! expect results[0..256] = (n * 5 + 3) % 16 * ((n * 5 + 3) % 16) + 1 + data[n]
//! expect results[256..512] = data[n] & 1 ? n % 16 * (n % 16) + 1 : 7
//! expect results[512..768] = n % 3 == 0 ? (n * 7 % 16) * (n * 7 % 16) + 1 - data[n] % 2 : data[n]
//! expect results[768..1024] = (n + data[n]) % 16 * ((n + data[n]) % 16) + 1
//! expect matrix = 2 * i
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x_id = 0) in;
layout(binding = 0) readonly buffer Data { uint data[256]; };
layout(binding = 1) buffer Results { uint results[1024]; };
layout(binding = 2) buffer Matrix { float16_t elements[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor;
const uint kSquares[16] =
    uint[](1, 2, 5, 10, 17, 26, 37, 50, 65, 82, 101, 122, 145, 170, 197, 226);

void main() {
  const uint i = gl_LocalInvocationIndex, n = gl_WorkGroupID.x * gl_WorkGroupSize.x + i;
  if (gl_WorkGroupID.x == 0) {
    coopmat<float16_t, gl_ScopeWorkgroup, 16, 16, gl_MatrixUseAccumulator> m;
    coopMatLoad(m, elements, 0, 16, row);
    coopMatStore(m + m, elements, 0, 16, row);
  }
  const uint value = data[n];
  results[n] = kSquares[(i * 5 + 3) % 16] + value;
  results[256 + n] = 7;
  if ((value & 1) != 0) results[256 + n] = kSquares[i % 16];
  uint third = value;
  if (n % 3 == 0) third = kSquares[i * 7 % 16] - value % 2;
  results[512 + n] = third;
  results[768 + n] = kSquares[(i + value) % 16];
}
