#version 450
// A bitonic sort of 512 numbers by 256 invocations: 45 barriers in nested loops.
//! each OPT = off | on
//! optimize $(OPT)
//! buffer data u32[1024] binding 0 = (i * 2654435761) % 4294967296
//! buffer sorted u32[1024] binding 1
//! dispatch 2
//! check count(k, 0, 511, @sorted[k] <= @sorted[k + 1]) == 511
//! check count(k, 512, 1023, @sorted[k] <= @sorted[k + 1]) == 511
//! check sum(k, 0, 512, @sorted[k]) == sum(k, 0, 512, data[k])
//! check xor_bits(k, 512, 1024, @sorted[k]) == xor_bits(k, 512, 1024, data[k])
//! expect sorted = @sorted[i]
layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) writeonly buffer Sorted { uint sorted_[]; };
shared uint stage[512];

void main() {
  uint i = gl_LocalInvocationIndex, base = gl_WorkGroupID.x * 512;
  stage[i] = data[base + i];
  stage[i + 256] = data[base + i + 256];
  barrier();
  for (uint size = 2; size <= 512; size *= 2) {
    for (uint stride = size / 2; stride > 0; stride /= 2) {
      uint low = 2 * stride * (i / stride) + i % stride, high = low + stride;
      bool ascending = (low & size) == 0;
      uint a = stage[low], b = stage[high];
      if ((a > b) == ascending) {
        stage[low] = b;
        stage[high] = a;
      }
      barrier();
    }
  }
  sorted_[base + i] = stage[i];
  sorted_[base + i + 256] = stage[i + 256];
}
