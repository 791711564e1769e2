#version 450
// Rows that are padded to 16 numbers: only the twin leaves the padding, which nobody has written, out of
// the sum. Reading it is no finding by itself.
//! debug
//! each BUG = 1 | 0
//! setting check uninit
//! buffer rows f32[64] binding 0 scratch unwritten
//! buffer sums f32[4] binding 1 scratch
//! push u32 0
//! dispatch 1
//! push u32 1
//! dispatch 1
//! finding uninit uninit-store times $(BUG)
//! check $(BUG) || all_bits(k, 0, 4, @sums[k] == 13 * (k + 1) ? -1 : 0) != 0
layout(local_size_x = 4) in;
layout(binding = 0) buffer Rows { float rows[]; };
layout(binding = 1) writeonly buffer Sums { float sums[]; };
layout(push_constant) uniform Push { uint turn; };
void main() {
  uint row = gl_LocalInvocationID.x;
  if (turn == 0) {
    for (uint k = 0; k < 13; ++k) rows[16 * row + k] = float(row + 1);
    return;
  }
  float sum = 0.0;
  for (uint k = 0; k < 16; ++k) {
    float number = rows[16 * row + k];
#if BUG
    sum += number;
#else
    sum += k < 13 ? number : 0.0;
#endif
  }
  sums[row] = sum;  // finding
}
