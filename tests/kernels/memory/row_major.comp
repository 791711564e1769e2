#version 450
// RowMajor and ColMajor members of the same block, read by element, by column and whole.
//! buffer data f32[24] binding 0 = i * i
//! buffer results f32[30] binding 1
//! dispatch 1
//! expect results[0..12] = data[4 * (n % 3) + n / 3]
//! expect results[12..21] = data[12 + 4 * (n / 3) + n % 3]
//! expect results[21..24] = data[4 * n + 2]
//! expect results[24..27] = sum(k, 0, 3, data[12 + 4 * k + n] * (k + 1))
//! expect results[27..30] = sum(k, 0, 4, data[4 * n + k] * (k + 1))
layout(local_size_x = 1) in;
layout(std430, binding = 0) readonly buffer Data {
  layout(row_major) mat4x3 rows;      // 3 rows of 4
  layout(column_major) mat3 columns;  // 3 columns of 3, 16 bytes apart
};
layout(std430, binding = 1) writeonly buffer Results { float results[]; };

void main() {
  for (int k = 0; k < 12; ++k) results[k] = rows[k / 3][k % 3];
  for (int k = 0; k < 9; ++k) results[12 + k] = columns[k / 3][k % 3];
  vec3 column = rows[2], by_columns = columns * vec3(1, 2, 3), by_rows = rows * vec4(1, 2, 3, 4);
  for (int k = 0; k < 3; ++k) {
    results[21 + k] = column[k];
    results[24 + k] = by_columns[k];
    results[27 + k] = by_rows[k];
  }
}
