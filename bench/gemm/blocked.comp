// 4x4 tiles of C a subgroup, one subgroup a workgroup. Sizes are multiples of 64 (K: of a tile).
const uint kTiles = 4;

void main() {
  const uint row = gl_WorkGroupID.y * (kTiles * TILE_M);
  const uint column = gl_WorkGroupID.x * (kTiles * TILE_N);
  ACCUMULATOR sums[kTiles][kTiles];
  for (uint i = 0; i < kTiles; ++i) {
    for (uint j = 0; j < kTiles; ++j) sums[i][j] = ACCUMULATOR(OUT_T(0));
  }
  for (uint depth = 0; depth < k; depth += TILE_K) {
    MATRIX_A x[kTiles];
    for (uint i = 0; i < kTiles; ++i) {
      coopMatLoad(x[i], a, (row + i * TILE_M) * lda + depth, lda, ROW_MAJOR);
    }
    for (uint j = 0; j < kTiles; ++j) {
      MATRIX_B y;
      coopMatLoad(y, b, depth * ldb + column + j * TILE_N, ldb, ROW_MAJOR);
      for (uint i = 0; i < kTiles; ++i) sums[i][j] = coopMatMulAdd(x[i], y, sums[i][j]);
    }
  }
  for (uint i = 0; i < kTiles; ++i) {
    for (uint j = 0; j < kTiles; ++j) {
      coopMatStore(sums[i][j], c, (row + i * TILE_M) * ldc + column + j * TILE_N, ldc, ROW_MAJOR);
    }
  }
}
