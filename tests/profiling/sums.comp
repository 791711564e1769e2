#version 450
// Work enough for all workers, in a loop whose lines perf is to know.
//! debug
//! buffer data f32[65536] binding 0 = 1
//! dispatch 1024
//! expect data[0..65536] = @data[0]
layout(local_size_x = 64) in;
layout(binding = 0) buffer Data { float values[]; };
float next(float x) {
  return sqrt(x * 1.0001 + 0.5);
}
void main() {
  float x = values[gl_GlobalInvocationID.x];
  for (int k = 0; k < 400; ++k) {
    x = next(x);
  }
  values[gl_GlobalInvocationID.x] = x;
}
