#version 450
// Inline uniform blocks, whose contents lie in the descriptor set, beside buffers.
//! require inlineUniformBlock
//! buffer block u32[12] binding 1 inline = 7 + i
//! buffer data u32[32] binding 0 = i
//! buffer more f32[4] binding 3 inline = 0.5 + i
//! buffer results u32[32] binding 2
//! dispatch 1
//! expect results = i + 7 + (i % 8 + 4 + 7) * 100 + i % 4 + 1
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) uniform Block { uvec4 first; uvec4 others[2]; } block;
layout(binding = 2) writeonly buffer Results { uint results[]; };
layout(binding = 3) uniform More { vec4 more; };

void main() {
  uint i = gl_LocalInvocationIndex;
  results[i] = data[i] + block.first.x + block.others[i % 8 / 4][i % 4] * 100 + uint(more[i % 4] + 0.5);
}
