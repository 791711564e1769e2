#version 450
// Accelerations of bodies that attract each other: a tile of them at a time in shared memory.
layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer Bodies { vec4 bodies[]; };  // position, mass
layout(binding = 1) writeonly buffer Accelerations { vec4 accelerations[]; };
layout(push_constant) uniform Push { uint count; float softening; };
shared vec4 tile[256];

void main() {
  uint me = gl_GlobalInvocationID.x;
  vec3 position = bodies[me].xyz;
  vec3 acceleration = vec3(0);
  for (uint first = 0; first < count; first += 256) {
    tile[gl_LocalInvocationIndex] = bodies[first + gl_LocalInvocationIndex];
    barrier();
    for (uint k = 0; k < 256; ++k) {
      vec3 d = tile[k].xyz - position;
      float inverse = inversesqrt(dot(d, d) + softening);
      acceleration += d * (tile[k].w * inverse * inverse * inverse);
    }
    barrier();
  }
  accelerations[me] = vec4(acceleration, 0);
}
