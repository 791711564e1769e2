#version 450
// Branches, a loop, a function, shared memory and barriers: who is where, and with which values.
//! buffer data f32[512] binding 0 = i
//! buffer results f32[512] binding 1
//! push f32 2.5, u32 3
//! debug
//! dispatch 2 2
layout(local_size_x = 64, local_size_y = 2) in;
layout(binding = 0) readonly buffer Data { float data[]; };
layout(binding = 1) buffer Results { float results[]; } output_;
layout(push_constant) uniform Push { float factor; uint rounds; } push;
shared float stage[2][64];

float weight(float x, uint k) {
  float scaled = x * push.factor;
  scaled += float(k);  // in the function
  return scaled;
}

void main() {
  uint i = gl_GlobalInvocationID.y * 128 + gl_GlobalInvocationID.x;
  uint x = gl_LocalInvocationID.x;
  stage[gl_LocalInvocationID.y][x] = data[i];
  barrier();  // the first barrier
  float sum = 0.0;
  for (uint k = 0; k < push.rounds; ++k) {
    sum += weight(stage[gl_LocalInvocationID.y][x], k);  // in the loop
  }
  if (i % 3 == 1) {
    float less = -sum;
    sum = less;  // in the branch
  } else if (i % 3 == 2) {
    sum += 1.0;  // in the other branch
  }
  output_.results[i] = sum;  // behind the branches
  barrier();
  stage[gl_LocalInvocationID.y][x] = 0.0;  // behind the second barrier
}
