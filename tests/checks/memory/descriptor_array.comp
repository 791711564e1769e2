#version 450
// Some invocations choose a descriptor behind the end of the array. After GPU-assisted validation's
// tests of descriptor indexing.
//! debug
//! each BUG = 1 | 0
//! require shaderStorageBufferArrayNonUniformIndexing runtimeDescriptorArray
//! setting check memory
//! buffer a u32[32] binding 0 element 0 = 100 + i
//! buffer b u32[32] binding 0 element 1 = 200 + i
//! buffer c u32[32] binding 0 element 2 = 300 + i
//! buffer results u32[32] binding 1
//! push u32 3 + $(BUG)
//! dispatch 1
//! finding memory descriptor-bounds times $(BUG) "load"
//! expect results = i % 4 == 3 && $(BUG) ? 0 : (i % 4 % 3 + 1) * 100 + i
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Some { uint values[]; } some[];
layout(binding = 1) writeonly buffer Results { uint results[]; };
layout(push_constant) uniform Push { uint count; };

void main() {
  uint i = gl_LocalInvocationIndex;
  uint which = i % 4 % count;
  results[i] = some[nonuniformEXT(which)].values[i];  // finding
}
