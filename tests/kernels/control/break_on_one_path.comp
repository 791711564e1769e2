#version 450
// A loop whose counter goes on by one number or the other, the same for all who are in it, though some leave it on one
// of the two paths: rows by fours where they fit and one by one behind that. What they had when they left is each one's own.
//! each OPT = off | on
//! each LENGTH = 0 | 5 | 128 | 300 | 512
//! each FOURS = 0 | 1
//! optimize $(OPT)
//! buffer row f32[512] binding 0 = i % 7
//! buffer sums f32[32] binding 1
//! buffer counts u32[32] binding 2
//! push u32 $(LENGTH), u32 $(FOURS)
//! dispatch 1
//! expect sums = sum(k, 0, $(LENGTH), (k < $(FOURS) * ($(LENGTH) / 128 * 128) ? k % 128 / 4 : k % 32) == i ? k % 7 : 0)
//! expect counts = $(FOURS) * ($(LENGTH) / 128 * 128)
//!+   + max(0, $(LENGTH) - $(FOURS) * ($(LENGTH) / 128 * 128) - i + 31) / 32 * 32
//! remarks "gather" 0 except "reference" "robust access" "checked shapes"
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Row { float row[]; };
layout(binding = 1) writeonly buffer Sums { float sums[]; };
layout(binding = 2) writeonly buffer Counts { uint counts[]; };
layout(push_constant) uniform Push { uint length, fours; };

void main() {
  const uint lane = gl_LocalInvocationID.x;
  float sum = 0;
  uint k = 0;
  for (; k < length;) {
    if (fours != 0 && k + 128 <= length) {
      for (uint c = 0; c < 4; ++c) sum += row[k + 4 * lane + c];
      k += 128;
    } else {
      if (k + lane >= length) break;
      sum += row[k + lane];
      k += 32;
    }
  }
  sums[lane] = sum;
  counts[lane] = k;
}
