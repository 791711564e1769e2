#version 450
// OpBitFieldInsert, OpBitFieldSExtract, OpBitFieldUExtract, widths of 0 and 32 included.
//! buffer data u32[128] binding 0 = random(0, 0xffffffff, 1)
//! buffer results u32[384] binding 1
//! dispatch 2
//! expect results[0..128] = (data[n] >> (n % 8)) & ((1 << (n % 25)) - 1)
//! expect results[128..256] = n % 25 == 0 ? 0 : (data[n] << (63 - (n % 8 + n % 25 - 1)) << 64) >> (128 - n % 25)
//! expect results[256..384] = (data[n] & ~(((1 << (n % 25)) - 1) << (n % 8))) | ((0xa5a5a5a5 & ((1 << (n % 25)) - 1)) << (n % 8))
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  int offset = int(i % 8), bits = int(i % 25);
  results[i] = bitfieldExtract(data[i], offset, bits);
  results[i + 128] = uint(bitfieldExtract(int(data[i]), offset, bits));
  results[i + 256] = bitfieldInsert(data[i], 0xa5a5a5a5u, offset, bits);
}
