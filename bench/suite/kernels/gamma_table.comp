#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
// Bytes through a table of 256, as gamma correction and AES's SubBytes do.
//! require shaderInt8 storageBuffer8BitAccess
//! each SPELLING INT FORM GROUPS = buffer uint 0 4096 | int int 0 4096 | shared uint 1 4096
//!+ | stride uint 2 256
//! buffer image u8[1 << 20] binding 0 = random(0, 255, 1)
//! buffer table u8[256] binding 1 = random(0, 255, 2)
//! buffer result u8[1 << 20] binding 2
//! push u32 1 << 20
//! dispatch $(GROUPS)
//! peer
layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer Image { uint8_t image[]; };
layout(binding = 1) readonly buffer Table { uint8_t table[]; };
layout(binding = 2) writeonly buffer Result { uint8_t result[]; };
layout(push_constant) uniform Push { uint size; };
shared uint8_t near_table[256];

void main() {
  const INT n = INT(size);
  INT i = INT(gl_GlobalInvocationID.x);
#if FORM == 1
  near_table[gl_LocalInvocationIndex] = table[gl_LocalInvocationIndex];
  barrier();
  if (i < n) result[i] = near_table[uint(image[i])];
#elif FORM == 2
  for (; i < n; i += INT(gl_NumWorkGroups.x * 256)) result[i] = table[uint(image[i])];
#else
  if (i < n) result[i] = table[uint(image[i])];
#endif
}
