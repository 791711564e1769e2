#version 450
// Arrays of arrays and of structures, indexed at each level at run time; copies of whole arrays.
//! buffer data u32[64] binding 0 = random(0, 63, 1)
//! buffer results u32[64] binding 1
//! dispatch 1
//! expect results = data[i] + data[(i + 16) % 64] + i % 3 * 10
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { uint data[4][4][4]; };
layout(binding = 1) writeonly buffer Results { uint results[]; };
struct Row {
  uint values[4];
  uint offsets[3];
};

void main() {
  uint i = gl_GlobalInvocationID.x;
  Row rows[2];
  rows[0].values = data[i / 16][i / 4 % 4];
  rows[1].values = data[(i / 16 + 1) % 4][i / 4 % 4];
  rows[0].offsets = uint[](0, 10, 20);
  rows[1] = Row(rows[1].values, rows[0].offsets);
  uint total = 0;
  for (int k = 0; k < 2; ++k) total += rows[k].values[i % 4];
  results[i] = total + rows[1].offsets[i % 3];
}
