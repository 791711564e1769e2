#version 450
// OpArrayLength, from the descriptor's range.
//! buffer data u32[100] binding 0 at 64 range 144 = i
//! buffer results u32[2] binding 1
//! dispatch 1
//! expect results = { 17, 33 }
layout(local_size_x = 1) in;
layout(std430, binding = 0) readonly buffer Data {
  uvec2 head;
  uvec2 data[];
};
layout(binding = 1) writeonly buffer Results { uint results[]; };

void main() {
  results[0] = uint(data.length());
  results[1] = data[7].y + uint(data.length()) - 17;
}
