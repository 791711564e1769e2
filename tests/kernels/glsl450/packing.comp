#version 450
// Pack and Unpack of Half2x16, Snorm4x8, Unorm4x8, Snorm2x16, Unorm2x16.
//! buffer data f32[256] binding 0 = random(-1.25, 1.25, 1)
//! buffer packed u32[320] binding 1
//! buffer unpacked f32[320] binding 2
//! dispatch 1
//! expect packed[0..64] = bits_f16(data[4 * n]) | bits_f16(data[4 * n + 1]) << 16
//! expect packed.s8[256..512] = round(clamp(data[n], -1.0, 1.0) * 127)
//! expect packed.u8[512..768] = round(clamp(data[n], 0.0, 1.0) * 255)
//! expect packed.s16[384..512 step 2] = round(clamp(data[4 * n], -1.0, 1.0) * 32767)
//! expect packed.s16[385..512 step 2] = round(clamp(data[4 * n + 1], -1.0, 1.0) * 32767)
//! expect packed.u16[512..640 step 2] = round(clamp(data[4 * n], 0.0, 1.0) * 65535)
//! expect packed.u16[513..640 step 2] = round(clamp(data[4 * n + 1], 0.0, 1.0) * 65535)
//! expect unpacked[0..64] = f16(data[4 * n + 1])
//! expect unpacked[64..128] = max(@packed.s8[256 + 4 * n + 2], -127) / 127.0 within 2 ulp
//! expect unpacked[128..192] = @packed.u8[512 + 4 * n + 3] / 255.0 within 2 ulp
//! expect unpacked[192..256] = max(@packed.s16[384 + 2 * n + 1], -32767) / 32767.0 within 2 ulp
//! expect unpacked[256..320] = @packed.u16[512 + 2 * n + 1] / 65535.0 within 2 ulp
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { vec4 data[]; };
layout(binding = 1) writeonly buffer Packed { uint packed_[]; };
layout(binding = 2) writeonly buffer Unpacked { float unpacked[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  vec4 v = data[i];
  uint half_ = packHalf2x16(v.xy), snorm4 = packSnorm4x8(v), unorm4 = packUnorm4x8(v);
  uint snorm2 = packSnorm2x16(v.xy), unorm2 = packUnorm2x16(v.xy);
  packed_[i] = half_;
  packed_[64 + i] = snorm4;
  packed_[128 + i] = unorm4;
  packed_[192 + i] = snorm2;
  packed_[256 + i] = unorm2;
  unpacked[i] = unpackHalf2x16(half_).y;
  unpacked[64 + i] = unpackSnorm4x8(snorm4).z;
  unpacked[128 + i] = unpackUnorm4x8(unorm4).w;
  unpacked[192 + i] = unpackSnorm2x16(snorm2).y;
  unpacked[256 + i] = unpackUnorm2x16(unorm2).y;
}
