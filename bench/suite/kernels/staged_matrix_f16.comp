#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
// A product of matrices of halves by cooperative matrices, staged in shared memory.
//! require cooperativeMatrix vulkanMemoryModel shaderFloat16 storageBuffer16BitAccess
//! require matrix 16 16 16 f16 f16 f32 f32
//! each SPELLING INT FORM WIDTH PADDING = named uint 0 1 0 | int int 0 1 0 | inline uint 1 1 0
//!+ | while uint 2 1 0 | shifted uint 3 1 0 | two uint 4 1 0 | registers uint 5 1 0
//!+ | padded uint 0 1 8 | vectors uint 6 4 0
//! buffer a f16[256 * 256] binding 0 = random(-2, 2, 1)
//! buffer b f16[256 * 256] binding 1 = random(-2, 2, 2)
//! buffer c f32[256 * 256] binding 2
//! push u32 256
//! subgroup 32
//! dispatch 4 4
//! peer
layout(local_size_x = 128) in;
#if WIDTH == 4
#define TYPE f16vec4
#else
#define TYPE float16_t
#endif
layout(binding = 0) readonly buffer A { TYPE a[]; };
layout(binding = 1) readonly buffer B { TYPE b[]; };
layout(binding = 2) writeonly buffer C { float c[]; };
layout(push_constant) uniform Push { uint size; };

const INT kDepth = 32, kBlock = 64, kAStride = kDepth + PADDING, kBStride = kBlock + PADDING;
const INT kASize = kBlock * kAStride, kBSize = kDepth * kBStride;
const INT kStages = FORM == 4 ? 2 : 1;
shared TYPE a_stage[kStages * kASize / WIDTH], b_stage[kStages * kBSize / WIDTH];

void stage(INT row, INT column, INT depth, INT stage) {
  const INT lane = INT(gl_LocalInvocationIndex), n = INT(size);
#if FORM == 0 || FORM == 4
  for (INT e = lane; e < kBlock * kDepth; e += 128) {
    const INT i = e / kDepth, l = e % kDepth;
    a_stage[stage * kASize + i * kAStride + l] = a[(row + i) * n + depth + l];
  }
  for (INT e = lane; e < kBlock * kDepth; e += 128) {
    const INT l = e / kBlock, j = e % kBlock;
    b_stage[stage * kBSize + l * kBStride + j] = b[(depth + l) * n + column + j];
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
#elif FORM == 5
  float16_t held[32];
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
    a_stage[e] = a[((row + e / (kDepth / 4)) * n + depth) / 4 + e % (kDepth / 4)];
  for (INT e = lane; e < kBlock * kDepth / 4; e += 128)
    b_stage[e] = b[((depth + e / 16) * n + column) / 4 + e % 16];
#endif
}

#define ACCUMULATOR coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>

void main() {
  const INT row = INT(gl_WorkGroupID.y) * kBlock, column = INT(gl_WorkGroupID.x) * kBlock;
  const uint tile_row = gl_SubgroupID / 2 * 32, tile_column = gl_SubgroupID % 2 * 32;
  ACCUMULATOR sums[2][2];
  for (INT i = 0; i < 2; ++i)
    for (INT j = 0; j < 2; ++j) sums[i][j] = ACCUMULATOR(0);
  for (INT depth = 0; depth < INT(size); depth += kDepth) {
    const INT from = kStages == 2 ? depth / kDepth % 2 : 0;
    stage(row, column, depth, from);
    barrier();
    for (uint l = 0; l < 32; l += 16) {
      coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> x[2];
      for (uint i = 0; i < 2; ++i)
        coopMatLoad(x[i], a_stage, (uint(from * kASize) + (tile_row + i * 16) * uint(kAStride) + l) / WIDTH,
                    uint(kAStride) / WIDTH, gl_CooperativeMatrixLayoutRowMajor);
      for (uint j = 0; j < 2; ++j) {
        coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB> y;
        coopMatLoad(y, b_stage, (uint(from * kBSize) + l * uint(kBStride) + tile_column + j * 16) / WIDTH,
                    uint(kBStride) / WIDTH, gl_CooperativeMatrixLayoutRowMajor);
        for (uint i = 0; i < 2; ++i) sums[i][j] = coopMatMulAdd(x[i], y, sums[i][j]);
      }
    }
    barrier();
  }
  for (uint i = 0; i < 2; ++i)
    for (uint j = 0; j < 2; ++j)
      coopMatStore(sums[i][j], c,
                   (uint(row) + tile_row + i * 16) * size + uint(column) + tile_column + j * 16, size,
                   gl_CooperativeMatrixLayoutRowMajor);
}
