// SPDX-License-Identifier: Apache-2.0

// Tiles of CUDA Tile as cooperative matrices: one matrix of flexible size for a tile, which a tensor layout
// finds in memory. What includes it defines N, K and M, the batches A, B and C of lhs, rhs and acc, and is
// run with a workgroup for each batch of the result, in z.
//
// Matrices have multiples of 8 rows and columns; tiles are powers of two. What a matrix has beyond its
// tile is read as zeros, which add nothing to a sum, and is not written.
const uint kRows = max(N, 8), kDepth = max(K, 8), kColumns = max(M, 8);
#define LHS_TILE(type) coopmat<type, gl_ScopeSubgroup, kRows, kDepth, gl_MatrixUseA>
#define RHS_TILE(type) coopmat<type, gl_ScopeSubgroup, kDepth, kColumns, gl_MatrixUseB>
#define RESULT_TILE(type) coopmat<type, gl_ScopeSubgroup, kRows, kColumns, gl_MatrixUseAccumulator>

// Declares `name`, the layout of this batch of a tensor of `batches` x `rows` x `columns`. One batch alone
// is broadcast: the next one is where it is, at a stride of 0.
#define TILE(name, batches, rows, columns)                                                              \
  tensorLayoutNV<3, gl_CooperativeMatrixClampModeConstantNV> name =                                     \
      createTensorLayoutNV(3, gl_CooperativeMatrixClampModeConstantNV);                                 \
  name = setTensorLayoutDimensionNV(name, C, rows, columns);                                            \
  name = setTensorLayoutStrideNV(name, (batches) == 1 ? 0 : (rows) * (columns), columns, 1);            \
  name = sliceTensorLayoutNV(name, gl_WorkGroupID.z, 1, 0, max(rows, 8), 0, max(columns, 8))
