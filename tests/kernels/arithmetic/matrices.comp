#version 450
// OpTypeMatrix: products with vectors and matrices on either side, transpose, outer product.
//! buffer m f32[16] binding 0 = random(-4, 4, 1)
//! buffer v f32[16] binding 1 = random(-4, 4, 2)
//! buffer results f32[64] binding 2
//! dispatch 1
//! expect results[0..4] = sum(k, 0, 4, m[4 * k + n] * v[k])
//! expect results[4..8] = sum(k, 0, 4, m[4 * n + k] * v[k])
//! expect results[8..24] = sum(k, 0, 4, m[4 * k + n % 4] * v[4 * (n / 4) + k])
//! expect results[24..40] = m[4 * (n % 4) + n / 4]
//! expect results[40..56] = v[n % 4] * v[4 + n / 4]
//! expect results[56..60] = m[4 * n + n] * 3
layout(local_size_x = 1) in;
layout(binding = 0) readonly buffer M { mat4 m; };
layout(binding = 1) readonly buffer V { mat4 v; };
layout(binding = 2) writeonly buffer Results { float results[64]; };

void write(uint at, vec4 value) {
  for (int k = 0; k < 4; ++k) results[at + k] = value[k];
}

void main() {
  write(0, m * v[0]);
  write(4, v[0] * m);
  mat4 product = m * v, transposed = transpose(m), outer = outerProduct(v[0], v[1]);
  for (int column = 0; column < 4; ++column) {
    write(8 + 4 * column, product[column]);
    write(24 + 4 * column, transposed[column]);
    write(40 + 4 * column, outer[column]);
  }
  mat4 scaled = m * 3.0;
  write(56, vec4(scaled[0][0], scaled[1][1], scaled[2][2], scaled[3][3]));
  for (int k = 60; k < 64; ++k) results[k] = 0;
}
