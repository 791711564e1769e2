#version 450
// subgroupPartitionNV, and reductions and scans within parts, over all invocations or over those
// that a branch leaves live (SOME). Parts and reductions, or scans (SCAN): together they take long to compile.
//! each SOME = 0 | 1
//! each SCAN = 0 | 1
//! each SIZE = 8 | 16 | 32 | 64
//! each T GLSL = u32 uint | f32 float | s16 int16_t
//! require shaderSubgroupPartitioned shaderInt16 storageBuffer16BitAccess
//! require shaderSubgroupExtendedTypes
//! buffer data $(T)[101] binding 0 = random(1, 20, 1)
//! buffer keys s32[101] binding 1 = random(-2, 3, 2)
//! buffer live u32[101] binding 2 = random(0, 2, 3) != 0
//! buffer ballots u32[200] binding 3 = 0
//! buffer results $(T)[200] binding 4 = 0
//! subgroup $(SIZE)
//! dispatch 1
//! expect ballots[0..100] = $(SCAN) || $(SOME) && live[n] == 0 ? 0 : sum(k, n/subgroup_size*subgroup_size, min(n/subgroup_size*subgroup_size+subgroup_size,100), ($(SOME) == 0 || live[k]) && keys[k] == keys[n] && k % subgroup_size < 32 ? 1 << k % subgroup_size : 0)
//! expect ballots[100..200] = $(SCAN) || $(SOME) && live[n] == 0 ? 0 : sum(k, n/subgroup_size*subgroup_size, min(n/subgroup_size*subgroup_size+subgroup_size,100), ($(SOME) == 0 || live[k]) && keys[k] == keys[n] && k % subgroup_size >= 32 ? 1 << k % subgroup_size - 32 : 0)
//! expect results[0..100] = $(SOME) && live[n] == 0 ? 0 : $(SCAN) ? greatest(k, n/subgroup_size*subgroup_size, n+1, ($(SOME) == 0 || live[k]) && keys[k] == keys[n] ? data[k] : 0) : sum(k, n/subgroup_size*subgroup_size, min(n/subgroup_size*subgroup_size+subgroup_size,100), ($(SOME) == 0 || live[k]) && keys[k] == keys[n] ? data[k] : 0)
//! expect results[100..200] = $(SCAN) == 0 || $(SOME) && live[n] == 0 ? 0 : sum(k, n/subgroup_size*subgroup_size, n, ($(SOME) == 0 || live[k]) && keys[k] == keys[n] ? data[k] : 0)
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_NV_shader_subgroup_partitioned : require
#extension GL_EXT_shader_subgroup_extended_types_int16 : require
layout(local_size_x = 100) in;
layout(binding = 0) readonly buffer Data { GLSL data[]; };
layout(binding = 1) readonly buffer Keys { int keys[]; };
layout(binding = 2) readonly buffer Live { uint live[]; };
layout(binding = 3) writeonly buffer Ballots { uint ballots[]; };
layout(binding = 4) writeonly buffer Results { GLSL results[]; };

void main() {
  uint i = gl_LocalInvocationIndex;
  ivec2 key = ivec2(keys[i] & 1, keys[i] >> 1);
  GLSL x = data[i];
  if (SOME == 0 || live[i] != 0) {
    uvec4 part = subgroupPartitionNV(key);
    if (SCAN == 0) {
      ballots[i] = part.x;
      ballots[i + 100] = part.y;
      results[i] = subgroupPartitionedAddNV(x, part);
    } else {
      results[i] = subgroupPartitionedInclusiveMaxNV(x, part);
      results[i + 100] = subgroupPartitionedExclusiveAddNV(x, part);
    }
  }
}
