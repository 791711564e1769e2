#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
// Each invocation reads on in a row of its own, with robust access: rows that end behind the buffer, begin
// there, or whose index wraps around at 2^32 to the buffer's beginning. What is outside is 0.
//! require shaderInt8 shaderInt16 shaderInt64 storageBuffer16BitAccess storageBuffer8BitAccess
//! each TYPE BUFFER = uint u32 | uint8_t u8 | uint16_t u16 | uint64_t u64
//! each FIRST PITCH = 0 3 | 5 37 | 4294967280 1 | 4294966400 29 | 2147483600 5
//! each DEAD = 9 | 1
//! each COUNT = 5 | 64 | 71
//! each PARTS = 1 | 2
//! robust
//! buffer source $(BUFFER)[1000] binding 0 = i % 251
//! buffer sums u32[64] binding 1 = 7
//! push u32 $(FIRST), u32 $(COUNT)
//! subgroup 32
//! dispatch 1
//! expect sums = i % 3 == $(DEAD) ? 7 : sum(k, 0, $(COUNT) * $(PARTS), ($(FIRST) + i * $(PITCH) + k) % 4294967296 < 1000 ? ($(FIRST) + i * $(PITCH) + k) % 4294967296 % 251 : 0)
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer From { TYPE source[]; };
layout(binding = 1) buffer To { uint sums[]; };
layout(push_constant) uniform Push { uint first, count; };
void main() {
  const uint i = gl_LocalInvocationID.x;
  if (i % 3 == DEAD) return;
  uint sum = 0;
  for (uint k = 0; k < count; ++k) {
    sum += uint(source[first + i * PITCH + k * PARTS]);
#if PARTS == 2
    sum += uint(source[first + i * PITCH + k * PARTS + 1]);
#endif
  }
  sums[i] = sum;
}
