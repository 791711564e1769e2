#version 450
// Expectations change nothing, also when they do not hold; assumptions are believed.
//! require shaderExpectAssume
//! buffer data u32[64] binding 0 = i % 7
//! buffer results u32[192] binding 1
//! dispatch 1
//! expect results[0..64] = n % 7 == 3 ? 10 : 20
//! expect results[64..128] = n % 7
//! expect results[128..192] = n % 7 + 5
#extension GL_EXT_expect_assume : require
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };

void main() {
  uint i = gl_LocalInvocationID.x;
  uint value = data[i];
  assumeEXT(value < 7);
  if (expectEXT(value == 3, true))
    results[i] = 10;
  else
    results[i] = 20;
  results[64 + i] = expectEXT(value, 1);
  uvec2 pair = expectEXT(uvec2(value, 5), uvec2(0, 5));
  results[128 + i] = pair.x + pair.y;
}
