// One 16x16 tile of C a subgroup, one subgroup a workgroup. Sizes are multiples of the tile.
void main() {
  const uint row = gl_WorkGroupID.y * TILE_M;
  const uint column = gl_WorkGroupID.x * TILE_N;
  ACCUMULATOR sum = ACCUMULATOR(OUT_T(0));
  for (uint depth = 0; depth < k; depth += TILE_K) {
    MATRIX_A x;
    MATRIX_B y;
    coopMatLoad(x, a, row * lda + depth, lda, ROW_MAJOR);
    coopMatLoad(y, b, depth * ldb + column, ldb, ROW_MAJOR);
    sum = coopMatMulAdd(x, y, sum);
  }
  coopMatStore(sum, c, row * ldc + column, ldc, ROW_MAJOR);
}
