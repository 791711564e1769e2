#version 450
#extension GL_EXT_integer_dot_product : require
#extension GL_EXT_control_flow_attributes : require
// A product of matrices of bytes whose invocations have 4x4 sums each: a subgroup's are side by side along rows or
// along columns, so that of one operand every eighth, of the other every group of eight reads the same words of shared
// memory, which are far apart. The subgroup's place is a number of run time.
//! require shaderIntegerDotProduct shaderInt8
//! each INT = uint | int
//! each ORDER = rows | columns
//! remarks "gather" 0 except "robust access" "checked shapes"
//! buffer a s8[64 * 64] binding 0 = i % 11 - 5
//! buffer b s8[64 * 64] binding 1 = i % 13 - 6
//! buffer y s32[64 * 64] binding 2
//! subgroup 32
//! dispatch 1
//! expect y = sum(k, 0, 64, ((i / 64 * 64 + k) % 11 - 5) * ((i % 64 * 64 + k) % 13 - 6))
layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer A { int a[]; };
layout(binding = 1) readonly buffer B { int b[]; };
layout(binding = 2) writeonly buffer Y { int y[]; };
shared int as[64][5], bs[64][5];

void main() {
  const INT n = INT(gl_LocalInvocationIndex), lane = n % 32, w = n / 32;
#define rows 0
#define columns 1
  const bool along = ORDER == 0;
  const INT row = (along ? w % 2 * 32 + lane % 8 * 4 : w / 2 * 16 + lane / 8 * 4);
  const INT column = (along ? w / 2 * 16 + lane / 8 * 4 : w % 2 * 32 + lane % 8 * 4);
  int sums[4][4];
  [[unroll]] for (INT i = 0; i < 4; ++i)
    [[unroll]] for (INT j = 0; j < 4; ++j) sums[i][j] = 0;
  for (INT k = 0; k < 16; k += 4) {
    for (INT i = n; i < 64 * 4; i += 256) {
      as[i / 4][i % 4] = a[i / 4 * 16 + k + i % 4];
      bs[i / 4][i % 4] = b[i / 4 * 16 + k + i % 4];
    }
    barrier();
    int of_b[4][4];
    [[unroll]] for (INT j = 0; j < 4; ++j)
      [[unroll]] for (INT at = 0; at < 4; ++at) of_b[j][at] = bs[column + j][at];
    [[unroll]] for (INT i = 0; i < 4; ++i)
      [[unroll]] for (INT at = 0; at < 4; ++at) {
        const int of_a = as[row + i][at];
        [[unroll]] for (INT j = 0; j < 4; ++j) sums[i][j] += dotPacked4x8EXT(of_a, of_b[j][at]);
      }
    barrier();
  }
  [[unroll]] for (INT i = 0; i < 4; ++i)
    [[unroll]] for (INT j = 0; j < 4; ++j) y[(row + i) * 64 + column + j] = sums[i][j];
}
