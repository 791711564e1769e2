#version 450
// Functions with control flow of their own, that call others, in loops and functions.
//! require cooperativeMatrix
//! require cooperativeMatrixPerElementOperations
//! require matrix_type 16 16 Accumulator s32
//! subgroup 32 full
//! buffer data s32[256] binding 0 = random(1, 30, 1)
//! buffer rounds u32[1] binding 1 = 3
//! buffer result s32[256] binding 2
//! buffer steps s32[256] binding 3
//! dispatch 1
//! expect result = data[i] * 8 + 7 * (i / 16 % 2 == 0 ? 1 : -1) + (i % 16 == 5 ? 1000 : 0)
//! expect steps = count(k, 0, 31, k < data[i]) + (data[i] > 20 ? 100 : 0)
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Data { int data[]; };
layout(binding = 1) readonly buffer Rounds { uint rounds; };
layout(binding = 2) writeonly buffer Result { int result[]; };
layout(binding = 3) writeonly buffer Steps { int steps[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor;
#define MATRIX coopmat<int, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>

int twice(int x) { return x + x; }

int grow(const in uint32_t r, const in uint32_t c, const in int x) {
  if (r % 2 == 0) return twice(x) + 1;
  return twice(x) - 1;
}

int mark(const in uint32_t r, const in uint32_t c, const in int x, const in int what) {
  switch (c) {
    case 5:
      return x + what;
    default:
      return x;
  }
}

// Each element leaves the loop at a time of its own.
int countUp(const in uint32_t r, const in uint32_t c, const in int x) {
  int n = 0;
  while (true) {
    if (n == x) break;
    ++n;
  }
  if (n > 20) n += 100;
  return n;
}

MATRIX grown(MATRIX m, uint times) {
  for (uint k = 0; k < times; ++k) coopMatPerElementNV(m, m, grow);
  return m;
}

void main() {
  MATRIX m[2];
  for (int k = 0; k < 2; ++k) coopMatLoad(m[k], data, 0, 16, row);
  m[0] = grown(m[0], rounds);
  if (rounds > 2) coopMatPerElementNV(m[0], m[0], mark, 1000);
  coopMatPerElementNV(m[1], m[1], countUp);
  coopMatStore(m[0], result, 0, 16, row);
  coopMatStore(m[1], steps, 0, 16, row);
}
