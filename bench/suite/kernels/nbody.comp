#version 450
// Accelerations of 512 bodies, without shared memory.
//! each SPELLING INT FORM = components uint 0 | int int 0 | vectors uint 1 | while uint 2 | shared uint 3
//! buffer bodies f32[512 * 4] binding 0 = random(-1.0, 1.0, 1)
//! buffer accelerations f32[512 * 4] binding 1
//! push u32 512
//! dispatch 4
//! peer within 2e-3 abs
layout(local_size_x = 128) in;
#if FORM == 0 || FORM == 2
layout(binding = 0) readonly buffer Bodies { float bodies[]; };
#else
layout(binding = 0) readonly buffer Bodies { vec4 bodies[]; };
#endif
layout(binding = 1) writeonly buffer Accelerations { vec4 accelerations[]; };
layout(push_constant) uniform Push { uint count; };
shared vec4 near[128];

void main() {
  const INT n = INT(count), me = INT(gl_GlobalInvocationID.x);
#if FORM == 0 || FORM == 2
  const float px = bodies[4 * me], py = bodies[4 * me + 1], pz = bodies[4 * me + 2];
  float x = 0, y = 0, z = 0;
#if FORM == 2
  INT i = 0;
  while (i < n) {
#else
  for (INT i = 0; i < n; ++i) {
#endif
    const float dx = bodies[4 * i] - px, dy = bodies[4 * i + 1] - py, dz = bodies[4 * i + 2] - pz;
    const float inverse = inversesqrt(dx * dx + dy * dy + dz * dz + 0.01);
    const float pull = bodies[4 * i + 3] * inverse * inverse * inverse;
    x += dx * pull;
    y += dy * pull;
    z += dz * pull;
#if FORM == 2
    ++i;
#endif
  }
  accelerations[me] = vec4(x, y, z, 0);
#else
  const vec3 place = bodies[me].xyz;
  vec3 sum = vec3(0);
#if FORM == 3
  for (INT first = 0; first < n; first += 128) {
    near[gl_LocalInvocationIndex] = bodies[first + INT(gl_LocalInvocationIndex)];
    barrier();
    for (INT i = 0; i < 128; ++i) {
      const vec4 other = near[i];
      const vec3 d = other.xyz - place;
      const float inverse = inversesqrt(dot(d, d) + 0.01);
      sum += d * (other.w * inverse * inverse * inverse);
    }
    barrier();
  }
#else
  for (INT i = 0; i < n; ++i) {
    const vec4 other = bodies[i];
    const vec3 d = other.xyz - place;
    const float inverse = inversesqrt(dot(d, d) + 0.01);
    sum += d * (other.w * inverse * inverse * inverse);
  }
#endif
  accelerations[me] = vec4(sum, 0);
#endif
}
