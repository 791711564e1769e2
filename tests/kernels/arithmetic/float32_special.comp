#version 450
// Infinities, NaN, zeros of both signs and the ends of the range.
//! buffer a f32[8] binding 0 = { inf, -inf, nan, 0.0, -0.0, 3e38, 1.0, -3e38 }
//! buffer b f32[8] binding 1 = { 1.0, inf, 1.0, -1.0, 5.0, 3e38, 0.0, 3e38 }
//! buffer sums f32[8] binding 2
//! buffer products f32[8] binding 3
//! buffer quotients f32[8] binding 4
//! dispatch 1
//! expect sums = { inf, nan, nan, -1.0, 5.0, inf, 1.0, 0.0 }
//! expect products = { inf, -inf, nan, 0.0, 0.0, inf, 0.0, -inf }
//! expect quotients[0..5] = { inf, nan, nan, 0.0, 0.0 }
//! expect quotients[6] = inf
//! expect quotients[5] = 1.0 within 2.5 ulp
//! expect quotients[7] = -1.0 within 2.5 ulp
layout(local_size_x = 8) in;
layout(binding = 0) readonly buffer A { float a[]; };
layout(binding = 1) readonly buffer B { float b[]; };
layout(binding = 2) writeonly buffer Sums { float sums[]; };
layout(binding = 3) writeonly buffer Products { float products[]; };
layout(binding = 4) writeonly buffer Quotients { float quotients[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  sums[i] = a[i] + b[i];
  products[i] = a[i] * b[i];
  quotients[i] = a[i] / b[i];
}
