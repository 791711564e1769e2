#version 450
// Fourier transforms of 256 complex numbers in shared memory, radix 2, a transform a workgroup.
//! each SPELLING INT FORM PADDING = for uint 0 0 | int int 0 0 | while uint 1 0 | vector uint 2 0 | padded uint 0 1
//! buffer data f32[2 * 256 * 256] binding 0 = random(-1.0, 1.0, 1)
//! buffer result f32[2 * 256 * 256] binding 1
//! buffer roots f32[256] binding 2 = cos(i / 2 * 0.024543692606170259) * (1 - i % 2) - sin(i / 2 * 0.024543692606170259) * (i % 2)
//! dispatch 256
//! peer within 1e-4 abs
layout(local_size_x = 128) in;
#define AT(i) ((i) + PADDING * ((i) >> 4))
layout(binding = 0) readonly buffer Data { vec2 data[]; };
layout(binding = 1) writeonly buffer Result { vec2 result[]; };
layout(binding = 2) readonly buffer Roots { vec2 roots[]; };
#if FORM == 2
shared vec2 values[AT(256)];
#else
shared float re[AT(256)], im[AT(256)];
#endif

void put(INT place, vec2 value) {
#if FORM == 2
  values[AT(place)] = value;
#else
  re[AT(place)] = value.x;
  im[AT(place)] = value.y;
#endif
}

vec2 get(INT place) {
#if FORM == 2
  return values[AT(place)];
#else
  return vec2(re[AT(place)], im[AT(place)]);
#endif
}

void butterfly(INT lane, INT half_size) {
  const INT k = lane & half_size - 1, i = 2 * lane - k, j = i + half_size;
  const vec2 root = roots[k * (128 / half_size)], a = get(i), b = get(j);
  const vec2 turned = vec2(b.x * root.x - b.y * root.y, b.x * root.y + b.y * root.x);
  put(i, a + turned);
  put(j, a - turned);
}

void main() {
  const INT lane = INT(gl_LocalInvocationIndex), first = INT(gl_WorkGroupID.x) * 256;
  put(INT(bitfieldReverse(uint(lane)) >> 24), data[first + lane]);
  put(INT(bitfieldReverse(uint(lane) + 128) >> 24), data[first + lane + 128]);
  barrier();
#if FORM == 1
  INT half_size = 1;
  while (half_size < 256) {
    butterfly(lane, half_size);
    barrier();
    half_size <<= 1;
  }
#else
  for (INT half_size = 1; half_size < 256; half_size *= 2) {
    butterfly(lane, half_size);
    barrier();
  }
#endif
  result[first + lane] = get(lane);
  result[first + lane + 128] = get(lane + 128);
}
