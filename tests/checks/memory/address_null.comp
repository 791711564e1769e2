#version 450
// The end of a list is looked into: the null pointer. After Oclgrind's dereference_null.
//! debug
//! each BUG = 1 | 0
//! require bufferDeviceAddress shaderInt64
//! setting check memory
//! buffer nodes u64[16]
//! fill nodes[0..16 step 2] = i == 14 ? 0 : &nodes + 8 * i + 16
//! fill nodes[1..16 step 2] = i
//! buffer results u32[1] binding 0
//! push u64 &nodes, u32 8 + $(BUG)
//! dispatch 1
//! finding memory address times $(BUG) "load" "null"
//! expect results = 64
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 1) in;
layout(buffer_reference) buffer Node;
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Node {
  uint64_t next;
  uint64_t value;
};
layout(push_constant) uniform Push { uint64_t first; uint steps; };
layout(binding = 0) writeonly buffer Results { uint result; };

void main() {
  uint total = 0;
  uint64_t node = first;
  for (uint k = 0; k < steps; ++k) {
    total += uint(Node(node).value);  // finding
    if (node != 0) node = Node(node).next;
  }
  result = total;
}
