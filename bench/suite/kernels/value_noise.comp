#version 450
// Four octaves of value noise from a hash of the lattice.
//! each SPELLING INT FORM X Y = named uint 0 16 16 | int int 0 16 16 | mix uint 1 16 16 | while uint 2 16 16
//!+ | 64x1 uint 0 64 1
//! buffer result f32[256 * 256] binding 0
//! push u32 256
//! dispatch 256/$(X) 256/$(Y)
//! peer within 1e-5 abs
layout(local_size_x = X, local_size_y = Y) in;
layout(binding = 0) writeonly buffer Result { float result[]; };
layout(push_constant) uniform Push { uint width; };

float lattice(uint x, uint y) {
  uint h = x * 374761393u + y * 668265263u;
  h = (h ^ h >> 13) * 1274126177u;
  return float((h ^ h >> 16) & 0xffffffu) * (1.0 / 16777216.0);
}

float noise(float u, float v) {
  const uint x = uint(u), y = uint(v);
  float a = u - float(x), b = v - float(y);
  a = a * a * (3 - 2 * a);
  b = b * b * (3 - 2 * b);
#if FORM == 1
  return mix(mix(lattice(x, y), lattice(x + 1, y), a),
             mix(lattice(x, y + 1), lattice(x + 1, y + 1), a), b);
#else
  const float above = lattice(x, y) * (1 - a) + lattice(x + 1, y) * a;
  const float below = lattice(x, y + 1) * (1 - a) + lattice(x + 1, y + 1) * a;
  return above * (1 - b) + below * b;
#endif
}

void main() {
  const INT w = INT(width), x = INT(gl_GlobalInvocationID.x), y = INT(gl_GlobalInvocationID.y);
  float u = float(x) * 0.03125, v = float(y) * 0.03125, sum = 0, weight = 0.5;
#if FORM == 2
  INT octave = 0;
  while (octave++ < 4) {
#else
  for (INT octave = 0; octave < 4; ++octave) {
#endif
    sum += weight * noise(u, v);
    weight *= 0.5;
    u *= 2;
    v *= 2;
  }
  result[y * w + x] = sum;
}
