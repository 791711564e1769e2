#version 450
// The sum of squares of doubles leaves their range; in the twin the numbers are scaled first.
//! debug
//! each BUG SCALE = 1 1.0lf | 0 1e-200lf
//! setting check float
//! require shaderFloat64
//! buffer data f64[2] binding 0 = { 3e200, 4e200 }
//! buffer results f64[1] binding 1 scratch
//! dispatch 1
//! finding float infinity times $(BUG)
//! check $(BUG) || abs(@results[0] / 5e200 - 1) < 1e-6
layout(local_size_x = 1) in;
layout(binding = 0) readonly buffer Data { double data[]; };
layout(binding = 1) writeonly buffer Results { double result; };
void main() {
  double x = data[0] * SCALE, y = data[1] * SCALE;
  double square = x * x;  // finding
  if (isinf(square)) {
    result = square;
    return;
  }
  result = sqrt(square + y * y) / SCALE;
}
