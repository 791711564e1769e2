#version 450
// A factorial as a float: the step to 35! leaves the range. In the twin it ends with 34!.
//! debug
//! each BUG LAST = 1 35 | 0 34
//! setting check float
//! buffer results f32[1] binding 0 scratch
//! push u32 $(LAST)
//! dispatch 1
//! finding float infinity times $(BUG)
//! check $(BUG) || abs(@results[0] / 2.9523279e38 - 1) < 0.00001
layout(local_size_x = 1) in;
layout(binding = 0) writeonly buffer Results { float result; };
layout(push_constant) uniform Push { uint last; };
void main() {
  float product = 1.0;
  for (uint k = 2; k <= last; ++k) product *= float(k);  // finding
  result = product;
}
