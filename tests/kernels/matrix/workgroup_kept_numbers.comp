#version 450
// Numbers that subgroups keep from one iteration to the next, none before the first, and such that
// leave a loop, beside a matrix of the workgroup. What bits of a lane's number add to them is known
// when they are there.
//! each BLOCK WIDTH HEIGHT LEAVES = 32 2 1 0 | 32 1 2 0 | 16 2 2 0 | 32 4 4 0 | 32 3 1 0 | 32 2 1 1 | 16 2 2 1
//! require cooperativeMatrix
//! require cooperativeMatrixWorkgroupScope
//! subgroup 32 full
//! buffer data f32[256] binding 0 = 1
//! buffer sums u32[128] binding 1
//! buffer steps u32[128] binding 2 = 0
//! push u32 3, u32 5
//! dispatch 1
//! expect data = 4
//! expect sums = sum(k, 0, 3, 4 * (k * $(BLOCK) + i % $(BLOCK) + (k * $(BLOCK) + i % $(BLOCK)) % ($(WIDTH) * $(HEIGHT)) / $(WIDTH) + (k * $(BLOCK) + i % $(BLOCK)) % $(WIDTH)) + 6 * ((k * $(BLOCK) + i % $(BLOCK)) / ($(WIDTH) * $(HEIGHT))))
//! expect steps = $(LEAVES) == 0 ? 0 : sum(k, 0, 3, k / 2 * 5 + i / 32 + k * 5) + i % 32 / 2 * 5 + i / 32 + 15
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
layout(local_size_x = 128) in;
layout(binding = 0) buffer Data { float data[]; };
layout(binding = 1) writeonly buffer Sums { uint sums[]; };
layout(binding = 2) writeonly buffer Steps { uint steps[]; };
layout(constant_id = 1) const bool is_shared = true;
layout(push_constant) uniform Push { uint turns, step_size; };

void main() {
  coopmat<float, gl_ScopeWorkgroup, 16, 16, gl_MatrixUseAccumulator> m, n;
  coopMatLoad(m, data, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
  n = m;
  uint at, high, middle, low, sum = 0;
  const uint column = gl_LocalInvocationID.x % BLOCK;
  for (uint k = 0; k < turns; ++k) {
    if (is_shared) {
      at = k * BLOCK + gl_SubgroupInvocationID;
      high = at / (WIDTH * HEIGHT);
      middle = at % (WIDTH * HEIGHT) / WIDTH;
      low = at % WIDTH;
    }
    for (uint r = 0; r < 4; ++r) {
      uint all;
      if (is_shared)
        all = subgroupShuffle(at, column) + subgroupShuffle(high, column) * r +
              subgroupShuffle(middle, column) + subgroupShuffle(low, column);
      else
        all = k * BLOCK + column;
      sum += all;
    }
    n += m;
  }
  coopMatStore(n, data, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
  sums[gl_LocalInvocationIndex] = sum;

#if LEAVES
  uint own = 0;
  for (uint k = 0; k <= gl_SubgroupID; ++k) own = gl_SubgroupInvocationID / 2 * step_size + k;
  uint all = 0;
  for (uint k = 0; k < turns; ++k) {
    all += subgroupShuffle(own, k);
    own += step_size;
  }
  steps[gl_LocalInvocationIndex] = all + own;
#endif
}
