// A 64x64 block of C a workgroup of 2x2 subgroups, a quarter each; A and B pass through shared
// memory, STAGE_K of K at a time. Any size: what lies outside the matrices is staged as 0, and
// blocks over the edge of C are stored through shared memory too.
const uint kTiles = 32 / TILE_M;
const uint kBlock = 64;

shared IN_T a_stage[kBlock * STAGE_K];
shared IN_T b_stage[STAGE_K * kBlock];
shared OUT_T c_stage[kBlock * kBlock];

void stageInner(uint row, uint column, uint depth) {
  for (uint e = gl_LocalInvocationIndex; e < kBlock * STAGE_K; e += gl_WorkGroupSize.x) {
    a_stage[e] = a[(row + e / STAGE_K) * lda + depth + e % STAGE_K];
  }
  for (uint e = gl_LocalInvocationIndex; e < kBlock * STAGE_K; e += gl_WorkGroupSize.x) {
    b_stage[e] = b[(depth + e / kBlock) * ldb + column + e % kBlock];
  }
}

void stageEdge(uint row, uint column, uint depth) {
  for (uint e = gl_LocalInvocationIndex; e < kBlock * STAGE_K; e += gl_WorkGroupSize.x) {
    const uint i = row + e / STAGE_K, l = depth + e % STAGE_K;
    IN_T value = IN_T(0);
    if (i < m && l < k) value = a[i * lda + l];
    a_stage[e] = value;
  }
  for (uint e = gl_LocalInvocationIndex; e < kBlock * STAGE_K; e += gl_WorkGroupSize.x) {
    const uint l = depth + e / kBlock, j = column + e % kBlock;
    IN_T value = IN_T(0);
    if (l < k && j < n) value = b[l * ldb + j];
    b_stage[e] = value;
  }
}

void main() {
  const uint row = gl_WorkGroupID.y * kBlock;
  const uint column = gl_WorkGroupID.x * kBlock;
  const uint tile_row = gl_SubgroupID / 2 * (kTiles * TILE_M);
  const uint tile_column = gl_SubgroupID % 2 * (kTiles * TILE_N);
  // Stores of whole tiles need rows at multiples of 16 bytes.
  const bool inner_block = row + kBlock <= m && column + kBlock <= n && ldc % 4 == 0;

  ACCUMULATOR sums[kTiles][kTiles];
  for (uint i = 0; i < kTiles; ++i) {
    for (uint j = 0; j < kTiles; ++j) sums[i][j] = ACCUMULATOR(OUT_T(0));
  }
  for (uint depth = 0; depth < k; depth += STAGE_K) {
    if (inner_block && depth + STAGE_K <= k) {
      stageInner(row, column, depth);
    } else {
      stageEdge(row, column, depth);
    }
    barrier();
    for (uint l = 0; l < STAGE_K; l += TILE_K) {
      MATRIX_A x[kTiles];
      for (uint i = 0; i < kTiles; ++i) {
        coopMatLoad(x[i], a_stage, (tile_row + i * TILE_M) * STAGE_K + l, STAGE_K, ROW_MAJOR);
      }
      for (uint j = 0; j < kTiles; ++j) {
        MATRIX_B y;
        coopMatLoad(y, b_stage, l * kBlock + tile_column + j * TILE_N, kBlock, ROW_MAJOR);
        for (uint i = 0; i < kTiles; ++i) sums[i][j] = coopMatMulAdd(x[i], y, sums[i][j]);
      }
    }
    barrier();
  }

  for (uint i = 0; i < kTiles; ++i) {
    for (uint j = 0; j < kTiles; ++j) {
      const uint r = tile_row + i * TILE_M, q = tile_column + j * TILE_N;
      if (inner_block) {
        coopMatStore(sums[i][j], c, (row + r) * ldc + column + q, ldc, ROW_MAJOR);
      } else {
        coopMatStore(sums[i][j], c_stage, r * kBlock + q, kBlock, ROW_MAJOR);
      }
    }
  }
  if (inner_block) return;
  barrier();
  for (uint e = gl_LocalInvocationIndex; e < kBlock * kBlock; e += gl_WorkGroupSize.x) {
    const uint i = row + e / kBlock, j = column + e % kBlock;
    if (i < m && j < n) c[i * ldc + j] = c_stage[e];
  }
}
