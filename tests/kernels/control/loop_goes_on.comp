#version 450
// A loop that goes on with a counter where another one left off, up to a number of each invocation's own: the same for all,
// one less for the last ones, or another one for each.
//! each OPT = off | on
//! each NAME BOUND = same 37 | tail 36+(i<20) | own i%5*9+i%3
//! each BY = 4 | 3
//! optimize $(OPT)
//! buffer row f32[2048] binding 0 = i % 11
//! buffer bounds u32[32] binding 1 = $(BOUND)
//! buffer sums f32[32] binding 2
//! buffer counts u32[32] binding 3
//! buffer trace u32[2048] binding 4 = 0
//! dispatch 1
//! expect sums = sum(k, 0, bounds[i], (32 * k + i) % 11)
//! expect counts = bounds[i]
//! expect trace = i / 32 < bounds[i % 32] && i / 32 >= bounds[i % 32] / $(BY) * $(BY) ? i / 32 + 1 : 0
//! remarks "gather" 0 "scatter" 0 except "robust access" "checked shapes"
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Row { float row[]; };
layout(binding = 1) readonly buffer Bounds { uint bounds[]; };
layout(binding = 2) writeonly buffer Sums { float sums[]; };
layout(binding = 3) writeonly buffer Counts { uint counts[]; };
layout(binding = 4) writeonly buffer Trace { uint trace[]; };

void main() {
  const uint lane = gl_LocalInvocationID.x, bound = bounds[lane];
  float sum = 0;
  uint k = 0;
  for (; k + BY <= bound; k += BY)
    for (uint c = 0; c < BY; ++c) sum += row[32 * (k + c) + lane];
  for (; k < bound; ++k) {
    sum += row[32 * k + lane];
    trace[32 * k + lane] = k + 1;
  }
  sums[lane] = sum;
  counts[lane] = k;
}
