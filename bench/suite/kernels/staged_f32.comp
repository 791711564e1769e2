#version 450
// A product of matrices: a workgroup stages 64x32 of A and 32x64 of B in shared memory, each
// invocation sums up 8x4 elements in registers.
//! each SPELLING INT FORM WIDTH PADDING = named uint 0 1 0 | int int 0 1 0 | inline uint 1 1 0
//!+ | while uint 2 1 0 | shifted uint 3 1 0 | registers uint 4 1 0 | padded uint 0 1 4 | vec4 uint 5 4 0
//! buffer a f32[256 * 256] binding 0 = random(-1.0, 1.0, 1)
//! buffer b f32[256 * 256] binding 1 = random(-1.0, 1.0, 2)
//! buffer c f32[256 * 256] binding 2
//! push u32 256
//! dispatch 4 4
//! peer within 1e-4 abs
layout(local_size_x = 128) in;
#if WIDTH == 4
#define TYPE vec4
#else
#define TYPE float
#endif
layout(binding = 0) readonly buffer A { TYPE a[]; };
layout(binding = 1) readonly buffer B { TYPE b[]; };
layout(binding = 2) writeonly buffer C { float c[]; };
layout(push_constant) uniform Push { uint size; };
const INT kBlock = 64, kDepth = 32;
const INT kAStride = kDepth + PADDING, kBStride = kBlock + PADDING;
shared TYPE a_stage[kBlock * kAStride / WIDTH], b_stage[kDepth * kBStride / WIDTH];

float fromA(INT i, INT k) {
#if WIDTH == 4
  return a_stage[(i * kAStride + k) / 4][k % 4];
#else
  return a_stage[i * kAStride + k];
#endif
}

float fromB(INT k, INT j) {
#if WIDTH == 4
  return b_stage[(k * kBStride + j) / 4][j % 4];
#else
  return b_stage[k * kBStride + j];
#endif
}

void stage(INT n, INT row, INT column, INT depth) {
  const INT lane = INT(gl_LocalInvocationIndex);
#if FORM == 0
  for (INT e = lane; e < kBlock * kDepth; e += 128) {
    const INT i = e / kDepth, k = e % kDepth;
    a_stage[i * kAStride + k] = a[(row + i) * n + depth + k];
  }
  for (INT e = lane; e < kBlock * kDepth; e += 128) {
    const INT k = e / kBlock, j = e % kBlock;
    b_stage[k * kBStride + j] = b[(depth + k) * n + column + j];
  }
#elif FORM == 1
  for (INT e = lane; e < kBlock * kDepth; e += 128)
    a_stage[e] = a[(row + e / kDepth) * n + depth + e % kDepth];
  for (INT e = lane; e < kBlock * kDepth; e += 128)
    b_stage[e] = b[(depth + e / kBlock) * n + column + e % kBlock];
#elif FORM == 2
  INT e = lane;
  while (e < kBlock * kDepth) {
    a_stage[e] = a[(row + e / kDepth) * n + depth + e % kDepth];
    b_stage[e] = b[(depth + e / kBlock) * n + column + e % kBlock];
    e += 128;
  }
#elif FORM == 3
  for (INT turn = 0; turn < 16; ++turn) {
    const INT e = turn * 128 + lane;
    a_stage[e] = a[(row + (e >> 5)) * n + depth + (e & 31)];
    b_stage[e] = b[(depth + (e >> 6)) * n + column + (e & 63)];
  }
#elif FORM == 4
  float held[32];
  for (INT turn = 0; turn < 16; ++turn) {
    const INT e = turn * 128 + lane;
    held[turn] = a[(row + e / kDepth) * n + depth + e % kDepth];
    held[16 + turn] = b[(depth + e / kBlock) * n + column + e % kBlock];
  }
  for (INT turn = 0; turn < 16; ++turn) {
    a_stage[turn * 128 + lane] = held[turn];
    b_stage[turn * 128 + lane] = held[16 + turn];
  }
#else
  for (INT e = lane; e < kBlock * kDepth / 4; e += 128)
    a_stage[e] = a[((row + e / 8) * n + depth) / 4 + e % 8];
  for (INT e = lane; e < kBlock * kDepth / 4; e += 128)
    b_stage[e] = b[((depth + e / 16) * n + column) / 4 + e % 16];
#endif
}

void main() {
  const INT n = INT(size), row = INT(gl_WorkGroupID.y) * kBlock, column = INT(gl_WorkGroupID.x) * kBlock;
  const INT x = INT(gl_LocalInvocationIndex) % 16, y = INT(gl_LocalInvocationIndex) / 16;
  float sums[8][4];
  for (INT i = 0; i < 8; ++i)
    for (INT j = 0; j < 4; ++j) sums[i][j] = 0;
  for (INT depth = 0; depth < n; depth += kDepth) {
    stage(n, row, column, depth);
    barrier();
    for (INT k = 0; k < kDepth; ++k) {
      float q[4];
      for (INT j = 0; j < 4; ++j) q[j] = fromB(k, x + 16 * j);
      for (INT i = 0; i < 8; ++i) {
        const float p = fromA(y * 8 + i, k);
        for (INT j = 0; j < 4; ++j) sums[i][j] += p * q[j];
      }
    }
    barrier();
  }
  for (INT i = 0; i < 8; ++i)
    for (INT j = 0; j < 4; ++j) c[(row + y * 8 + i) * n + column + x + 16 * j] = sums[i][j];
}
