#version 450
// OpBitcast between scalars and vectors of equal size.
//! require shaderInt64 shaderInt16
//! buffer data u32[128] binding 0 = random(0, 0xffffffff, 1)
//! buffer results u32[256] binding 1
//! dispatch 1
//! expect results[0..64] = bits_f32(abs(data.f32[n]))
//! expect results[64..128] = data[2 * n] ^ data[2 * n + 1]
//! expect results[128..192] = (data.u16[4 * n] * data.u16[4 * n + 3]) & 0xffff
//! expect results[192..256] = (data.u64[n] + 0x123456789) >> 32
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  results[i] = floatBitsToUint(uintBitsToFloat(data[i] & 0x7fffffffu));
  uvec2 pair = uvec2(data[2 * i], data[2 * i + 1]);
  uint64_t wide = packUint2x32(pair);
  uvec2 split = unpackUint2x32(wide);
  results[i + 64] = split.x ^ split.y;
  u16vec4 quarters = unpackUint4x16(wide);
  results[i + 128] = uint(quarters.x * quarters.w);
  results[i + 192] = unpackUint2x32(wide + 0x123456789ul).y;
}
