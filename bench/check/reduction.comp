#version 450
// The sum of a large buffer in two stages: a part for each workgroup, by a tree in shared memory, and
// then the sum of the parts by one workgroup.
//! buffer data f32[1 << 22] binding 0 = random(-1.0, 1.0, 1)
//! buffer parts f32[256] binding 1
//! buffer total f32[1] binding 2
//! spec 0 = u32 0
//! push u32 1 << 22
//! dispatch 256
//! spec 0 = u32 1
//! push u32 256
//! dispatch 1
//! expect parts = sum(k, 0, 64, sum(j, 0, 256, data[k * 65536 + i * 256 + j])) within 1e-3 abs
//! expect total = sum(k, 0, 1 << 22, data[k]) within 1e-2 abs
layout(local_size_x = 256) in;
layout(constant_id = 0) const uint stage = 0;
layout(binding = 0) readonly buffer Data { float data[]; };
layout(binding = 1) buffer Parts { float parts[]; };
layout(binding = 2) writeonly buffer Total { float total; };
layout(push_constant) uniform Push { uint count; };
shared float partial[256];

float number(uint i) { return stage == 0 ? data[i] : parts[i]; }

void main() {
  const uint lane = gl_LocalInvocationIndex;
  float sum = 0;
  for (uint i = gl_GlobalInvocationID.x; i < count; i += gl_NumWorkGroups.x * gl_WorkGroupSize.x)
    sum += number(i);
  partial[lane] = sum;
  barrier();
  for (uint half_size = 128; half_size > 0; half_size /= 2) {
    if (lane < half_size) partial[lane] += partial[lane + half_size];
    barrier();
  }
  if (lane != 0) return;
  if (stage == 0)
    parts[gl_WorkGroupID.x] = partial[0];
  else
    total = partial[0];
}
