#version 450
// OpBitCount, OpBitReverse, FindILsb, FindUMsb, FindSMsb.
//! buffer data u32[128] binding 0 = i == 0 ? 0 : i == 1 ? 0xffffffff : random(0, 0xffffffff, 1) >> (i % 32)
//! buffer results s32[640] binding 1
//! dispatch 2
//! expect results[0..128] = popcount(data[n])
//! expect results[128..256] = reverse32(data[n])
//! expect results[256..384] = lowbit(data[n])
//! expect results[384..512] = highbit(data[n])
//! expect results[512..640] = highbit(data.s32[n] < 0 ? ~data.s32[n] : data.s32[n])
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Results { int results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  results[i] = bitCount(data[i]);
  results[i + 128] = int(bitfieldReverse(data[i]));
  results[i + 256] = findLSB(data[i]);
  results[i + 384] = findMSB(data[i]);
  results[i + 512] = findMSB(int(data[i]));
}
