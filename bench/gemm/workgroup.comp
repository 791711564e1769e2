// A block of BLOCK_M x BLOCK_N of C a workgroup, whose invocations hold their matrices together. Any
// size: tensor layouts say where A, B and C end; what lies outside is loaded as 0, and not stored.
#define LAYOUT tensorLayoutNV<2, gl_CooperativeMatrixClampModeConstantNV>

LAYOUT layoutOf(uint rows, uint columns, uint stride) {
  LAYOUT tensor = createTensorLayoutNV(2, gl_CooperativeMatrixClampModeConstantNV);
  tensor = setTensorLayoutDimensionNV(tensor, rows, columns);
  tensor = setTensorLayoutStrideNV(tensor, stride, 1);
  return setTensorLayoutClampValueNV(tensor, 0);
}

void main() {
  const uint row = gl_WorkGroupID.y * BLOCK_M;
  const uint column = gl_WorkGroupID.x * BLOCK_N;
  const LAYOUT a_layout = layoutOf(m, k, lda);
  const LAYOUT b_layout = layoutOf(k, n, ldb);
  const LAYOUT c_layout = layoutOf(m, n, ldc);

  coopmat<OUT_T, gl_ScopeWorkgroup, BLOCK_M, BLOCK_N, gl_MatrixUseAccumulator> sum =
      coopmat<OUT_T, gl_ScopeWorkgroup, BLOCK_M, BLOCK_N, gl_MatrixUseAccumulator>(OUT_T(0));
  for (uint depth = 0; depth < k; depth += STAGE_K) {
    coopmat<IN_T, gl_ScopeWorkgroup, BLOCK_M, STAGE_K, gl_MatrixUseA> x;
    coopmat<IN_T, gl_ScopeWorkgroup, STAGE_K, BLOCK_N, gl_MatrixUseB> y;
    coopMatLoadTensorNV(x, a, 0, sliceTensorLayoutNV(a_layout, row, BLOCK_M, depth, STAGE_K));
    coopMatLoadTensorNV(y, b, 0, sliceTensorLayoutNV(b_layout, depth, STAGE_K, column, BLOCK_N));
    sum = coopMatMulAdd(x, y, sum);
  }
  coopMatStoreTensorNV(sum, c, 0, sliceTensorLayoutNV(c_layout, row, BLOCK_M, column, BLOCK_N));
}
