#version 450
// Bounds of variables and of arrays of descriptors, asked for by the pipeline alone.
//! require pipelineRobustness shaderStorageBufferArrayNonUniformIndexing runtimeDescriptorArray
//! each NAME FAR = near 32 | far 0x10000000
//! robust pipeline
//! buffer a u32[32] binding 0 element 0 = 100 + i
//! buffer b u32[32] binding 0 element 1 = 200 + i
//! buffer results u32[128] binding 1
//! push s32 $(FAR)
//! dispatch 1
//! expect results[0..32] = n % 4 == 3 ? 0 : 300 + n
//! expect results[32..64] = n % 4 == 3 ? 0 : 400 + n
//! expect results[64..96] = n % 4 >= 2 ? 0 : 100 + n % 4 * 100 + n
//! expect results[96..128] = 0
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 32) in;
layout(binding = 0) buffer Some { uint values[]; } some[];
layout(binding = 1) writeonly buffer Results { uint results[]; };
layout(push_constant) uniform Push { int far; };
shared uint in_workgroup[32];

void main() {
  const int i = int(gl_LocalInvocationIndex);
  uint in_function[32];
  for (int k = 0; k < 32; ++k) in_function[k] = 400 + k;
  in_workgroup[i] = 300 + i;
  in_workgroup[far] = in_function[far] = 1;
  in_workgroup[far + i] = in_function[far + i] = 2;
  barrier();
  const int index = i % 4 == 3 ? far + i : i;
  some[nonuniformEXT(i % 4 >= 2 ? index + far : 5 + far)].values[i] = 3;
  results[i] = in_workgroup[index];
  results[32 + i] = in_function[index];
  results[64 + i] = some[nonuniformEXT(i % 4 >= 2 ? far + i : i % 4)].values[i];
  results[96 + i] = in_workgroup[far] + in_function[far] + some[far].values[i];
}
