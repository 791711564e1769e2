#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
// A product of matrices that are staged in shared memory, in ways that mean the same: types of counters,
// forms of the loop that stages, how an element's number is taken apart, one buffer or two by
// turns, through registers, by vectors. All are multiplied along K in blocks, and nothing is fetched or
// written element by element.
//! require cooperativeMatrix vulkanMemoryModel shaderFloat16 storageBuffer16BitAccess
//! require matrix 16 16 16 f16 f16 f32 f32
//! each INT = uint | int
//! each STAGING = named | inline | while | shifted | two | registers | vectors
//! remarks "gather" 0 "scatter" 0 "product-not-deferred" 0
//! buffer a f16[$(SIZE) * $(SIZE)] binding 0 = (i * 7 + i / 13) % 5 - 2
//! buffer b f16[$(SIZE) * $(SIZE)] binding 1 = (i * 3 + i / 11) % 5 - 2
//! buffer c f32[$(SIZE) * $(SIZE)] binding 2
//! each SIZE = 128
//! push u32 $(SIZE)
//! subgroup 32
//! dispatch $(SIZE)/64 $(SIZE)/64
//! matmul c($(SIZE), $(SIZE) row) = a($(SIZE), $(SIZE) row) * b($(SIZE), $(SIZE) row)
layout(local_size_x = 128) in;
layout(binding = 0) readonly buffer ABuffer { float16_t a[]; };
layout(binding = 1) readonly buffer BBuffer { float16_t b[]; };
layout(binding = 0) readonly buffer AVectors { f16vec4 a4[]; };
layout(binding = 1) readonly buffer BVectors { f16vec4 b4[]; };
layout(binding = 2) writeonly buffer CBuffer { float c[]; };
layout(push_constant) uniform Push { uint size; };

#define named_ 1
#define inline_ 2
#define while_ 3
#define shifted_ 4
#define two_ 5
#define registers_ 6
#define vectors_ 7

const INT kDepth = 32, kBlock = 64;
const uint kStages = $(STAGING)_ == two_ ? 2 : 1;
#if $(STAGING)_ == vectors_
shared f16vec4 a_stage[kStages * kBlock * kDepth / 4], b_stage[kStages * kBlock * kDepth / 4];
const uint kElements = 4;
#else
shared float16_t a_stage[kStages * kBlock * kDepth], b_stage[kStages * kBlock * kDepth];
const uint kElements = 1;
#endif

void stage(INT row, INT column, INT depth, uint stage) {
  const INT lane = INT(gl_LocalInvocationIndex), n = INT(size);
#if $(STAGING)_ == named_ || $(STAGING)_ == two_
  const INT to = INT(stage) * kBlock * kDepth;
  for (INT e = lane; e < kBlock * kDepth; e += 128) {
    const INT i = e / kDepth, l = e % kDepth;
    a_stage[to + e] = a[(row + i) * n + depth + l];
  }
  for (INT e = lane; e < kBlock * kDepth; e += 128) {
    const INT l = e / kBlock, j = e % kBlock;
    b_stage[to + e] = b[(depth + l) * n + column + j];
  }
#elif $(STAGING)_ == inline_
  for (INT e = lane; e < kBlock * kDepth; e += 128)
    a_stage[e] = a[(row + e / kDepth) * n + depth + e % kDepth];
  for (INT e = lane; e < kBlock * kDepth; e += 128)
    b_stage[e] = b[(depth + e / kBlock) * n + column + e % kBlock];
#elif $(STAGING)_ == while_
  INT e = lane;
  while (e < kBlock * kDepth) {
    const INT i = e / kDepth, l = e % kDepth;
    a_stage[i * kDepth + l] = a[(row + i) * n + depth + l];
    const INT r = e / kBlock, j = e % kBlock;
    b_stage[r * kBlock + j] = b[(depth + r) * n + column + j];
    e += 128;
  }
#elif $(STAGING)_ == shifted_
  for (INT turn = 0; turn < kBlock * kDepth / 128; ++turn) {
    const INT e = turn * 128 + lane;
    a_stage[e] = a[(row + (e >> 5)) * n + depth + (e & 31)];
    b_stage[e] = b[(depth + (e >> 6)) * n + column + (e & 63)];
  }
#elif $(STAGING)_ == registers_
  float16_t held[2 * kBlock * kDepth / 128];
  for (INT turn = 0; turn < 16; ++turn) {
    const INT e = turn * 128 + lane, i = e / kDepth, l = e % kDepth;
    held[turn] = a[(row + i) * n + depth + l];
  }
  for (INT turn = 0; turn < 16; ++turn) {
    const INT e = turn * 128 + lane, l = e / kBlock, j = e % kBlock;
    held[16 + turn] = b[(depth + l) * n + column + j];
  }
  for (INT turn = 0; turn < 16; ++turn) {
    a_stage[turn * 128 + lane] = held[turn];
    b_stage[turn * 128 + lane] = held[16 + turn];
  }
#else
  for (INT e = lane; e < kBlock * kDepth / 4; e += 128) {
    const INT i = e / (kDepth / 4), l = e % (kDepth / 4);
    a_stage[e] = a4[((row + i) * n + depth) / 4 + l];
  }
  for (INT e = lane; e < kBlock * kDepth / 4; e += 128) {
    const INT l = e / (kBlock / 4), j = e % (kBlock / 4);
    b_stage[e] = b4[((depth + l) * n + column) / 4 + j];
  }
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
    const uint from = kStages == 2 ? uint(depth) / 32 % 2 : 0;
    stage(row, column, depth, from);
    barrier();
    for (uint l = 0; l < 32; l += 16) {
      coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> x[2];
      for (uint i = 0; i < 2; ++i)
        coopMatLoad(x[i], a_stage, (from * 2048 + (tile_row + i * 16) * 32 + l) / kElements,
                    32 / kElements, gl_CooperativeMatrixLayoutRowMajor);
      for (uint j = 0; j < 2; ++j) {
        coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB> y;
        coopMatLoad(y, b_stage, (from * 2048 + l * 64 + tile_column + j * 16) / kElements,
                    64 / kElements, gl_CooperativeMatrixLayoutRowMajor);
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
