#version 450
// One image over another, colours packed into words with their opacity.
//! each SPELLING INT FORM X Y = shifts uint 0 256 1 | int int 0 256 1 | extract uint 1 256 1 | vector uint 2 256 1
//!+ | loop uint 3 256 1 | 16x16 uint 0 16 16
//! buffer over u32[1 << 18] binding 0 = random(0, 4294967295, 1)
//! buffer under u32[1 << 18] binding 1 = random(0, 4294967295, 2)
//! buffer result u32[1 << 18] binding 2
//! push u32 512
//! dispatch 512/$(X) 512/$(Y)
//! peer
layout(local_size_x = X, local_size_y = Y) in;
layout(binding = 0) readonly buffer Over { uint over[]; };
layout(binding = 1) readonly buffer Under { uint under[]; };
layout(binding = 2) writeonly buffer Result { uint result[]; };
layout(push_constant) uniform Push { uint width; };

uint blend(uint a, uint b, uint alpha) { return (a * alpha + b * (255 - alpha) + 127) / 255; }

void main() {
  const INT i = INT(gl_GlobalInvocationID.y) * INT(width) + INT(gl_GlobalInvocationID.x);
  const uint a = over[i], b = under[i], alpha = a >> 24;
#if FORM == 1
  result[i] = blend(bitfieldExtract(a, 0, 8), bitfieldExtract(b, 0, 8), alpha) |
              blend(bitfieldExtract(a, 8, 8), bitfieldExtract(b, 8, 8), alpha) << 8 |
              blend(bitfieldExtract(a, 16, 8), bitfieldExtract(b, 16, 8), alpha) << 16 | 0xff000000u;
#elif FORM == 2
  const uvec3 p = uvec3(a, a >> 8, a >> 16) & 255, q = uvec3(b, b >> 8, b >> 16) & 255;
  const uvec3 c = (p * alpha + q * (255 - alpha) + 127) / 255;
  result[i] = c.x | c.y << 8 | c.z << 16 | 0xff000000u;
#elif FORM == 3
  uint colour = 0xff000000u;
  for (int shift = 0; shift < 24; shift += 8)
    colour |= blend(a >> shift & 255, b >> shift & 255, alpha) << shift;
  result[i] = colour;
#else
  const uint red = blend(a & 255, b & 255, alpha);
  const uint green = blend(a >> 8 & 255, b >> 8 & 255, alpha);
  const uint blue = blend(a >> 16 & 255, b >> 16 & 255, alpha);
  result[i] = red | green << 8 | blue << 16 | 0xff000000u;
#endif
}
