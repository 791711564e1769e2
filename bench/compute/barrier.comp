#version 450
// Barriers with a value handed from neighbour to neighbour around each of them; the last invocation
// gets 0.
layout(local_size_x = 256) in;
layout(binding = 0) buffer Data { uint data[]; };
layout(push_constant) uniform Push { uint rounds; };
shared uint values[2][257];

void main() {
  uint me = gl_LocalInvocationIndex;
  uint value = data[gl_GlobalInvocationID.x];
  if (me < 2) values[me][256] = 0;
  for (uint r = 0; r < rounds; ++r) {
    values[r & 1][me] = value;
    barrier();
    value = values[r & 1][me + 1] + r;
  }
  data[gl_GlobalInvocationID.x] = value;
}
