#version 450
// Exp and Log at the ends of their ranges.
//! buffer data f32[8] binding 0 = { 0.0, -200.0, 100.0, 1.0, 88.0, -80.0, inf, -inf }
//! buffer results f32[16] binding 1
//! dispatch 1
//! expect results[0..8] = exp(data[n]) within 200 ulp or 1e-38 abs
//! expect results[8..16] = { 0.0, -inf, 0.6931472, inf, 88.722839, -1.0, -87.336544, 4.605170 } within 3 ulp or 5e-7 abs
layout(local_size_x = 8) in;
layout(binding = 0) readonly buffer Data { float data[]; };
layout(binding = 1) writeonly buffer Results { float results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  results[i] = exp(data[i]);
  float inputs[8] = {1, 0, 2, uintBitsToFloat(0x7f800000u), uintBitsToFloat(0x7f7fffffu),
                     0.36787944, uintBitsToFloat(0x00800000u), 100};
  results[8 + i] = log(inputs[i]);
}
