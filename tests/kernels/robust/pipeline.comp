#version 450
// Robust buffer access asked for by the pipeline alone.
//! require pipelineRobustness
//! robust pipeline
//! buffer data u32[64] binding 0 range 64 = 100 + i
//! buffer constants u32[64] binding 1 uniform range 64 = 200 + i
//! buffer results u32[64] binding 2
//! dispatch 1
//! expect results = i < 4 ? 300 + i * 5 : i < 16 ? 100 + i : 0
//! expect data = 100 + i
layout(local_size_x = 64) in;
layout(binding = 0) buffer Data { uint data[]; };
layout(binding = 1) uniform Constants { uvec4 constants[16]; };
layout(binding = 2) writeonly buffer Results { uint results[]; };

void main() {
  uint i = gl_LocalInvocationIndex;
  results[i] = data[i] + constants[i].x;
  if (i >= 16) data[i] = 0;
}
