#version 450
// Each invocation follows a list of its own length through device addresses to the null pointer.
//! require bufferDeviceAddress shaderInt64
//! buffer nodes u64[64]
//! fill nodes[0..64 step 2] = i == 62 ? 0 : i % 16 == 14 ? 0 : &nodes + 8 * i + 16
//! fill nodes[1..64 step 2] = i
//! buffer results u32[32] binding 0
//! push u64 &nodes
//! dispatch 1
//! expect results = sum(k, i, i - i % 8 + 8, 2 * k + 1)
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 32) in;
layout(buffer_reference) buffer Node;
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Node {
  Node next;
  uint64_t value;
};
layout(push_constant) uniform Push { uint64_t first; };
layout(binding = 0) writeonly buffer Results { uint results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  uint total = 0;
  Node node = Node(first + 16 * i);
  while (uint64_t(node) != 0) {
    total += uint(node.value);
    node = node.next;
  }
  results[i] = total;
}
