#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
// A product of matrices that are loaded from buffers, in ways that mean the same: how the sums of a
// subgroup's tiles are held, forms of the loop over K, and what reaches the sums' components afterwards. All
// are multiplied along K in blocks, whatever the shape of a subgroup's block of tiles.
//! require cooperativeMatrix vulkanMemoryModel shaderFloat16 storageBuffer16BitAccess
//! require matrix 16 16 16 f16 f16 f32 f32
//! each ROWS = 1 | 2
//! each COLUMNS = 1 | 3
//! each SUMS = flat | member
//! each LOOP = for | while | do | halves | called
//! each EPILOGUE = components | guarded | counted
//! each SIZE = 96
//! remarks "gather" 0 "scatter" 0 "product-not-deferred" 0
//! buffer a f16[$(SIZE) * $(SIZE)] binding 0 = (i * 7 + i / 13) % 5 - 2
//! buffer b f16[$(SIZE) * $(SIZE)] binding 1 = (i * 3 + i / 11) % 5 - 2
//! buffer c f32[$(SIZE) * $(SIZE)] binding 2
//! push u32 $(SIZE), f32 1000000, u32 8
//! subgroup 32
//! dispatch $(SIZE)/(16*$(COLUMNS)) $(SIZE)/(16*$(ROWS))
//! matmul c($(SIZE), $(SIZE) row) = a($(SIZE), $(SIZE) row) * b($(SIZE), $(SIZE) row)
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer ABuffer { float16_t a[]; };
layout(binding = 1) readonly buffer BBuffer { float16_t b[]; };
layout(binding = 2) writeonly buffer CBuffer { float c[]; };
layout(push_constant) uniform Push {
  uint size;
  float limit;  // that no sum reaches
  uint length;  // of a tile's components
};

#define flat_ 1
#define member_ 2
#define for_ 1
#define while_ 2
#define do_ 3
#define halves_ 4
#define called_ 5
#define components_ 1
#define guarded_ 2
#define counted_ 3

#define ACCUMULATOR coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>
const uint kRows = $(ROWS), kColumns = $(COLUMNS);

#if $(SUMS)_ == flat_
ACCUMULATOR sums[kRows * kColumns];
#define SUM(i, j) sums[(i) * kColumns + (j)]
#else
struct Block { uint row, column; ACCUMULATOR tiles[kColumns][kRows]; } block;
#define SUM(i, j) block.tiles[j][i]
#endif

uint row, column;

#if $(LOOP)_ == called_
ACCUMULATOR plus(ACCUMULATOR sum, coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> x,
                 coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB> y) {
  return coopMatMulAdd(x, y, sum);
}
#else
#define plus(sum, x, y) coopMatMulAdd(x, y, sum)
#endif

void multiply(uint k) {
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> x[kRows];
  for (uint i = 0; i < kRows; ++i)
    coopMatLoad(x[i], a, (row + i * 16) * size + k, size, gl_CooperativeMatrixLayoutRowMajor);
  for (uint j = 0; j < kColumns; ++j) {
    coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB> y;
    coopMatLoad(y, b, k * size + column + j * 16, size, gl_CooperativeMatrixLayoutRowMajor);
    for (uint i = 0; i < kRows; ++i) SUM(i, j) = plus(SUM(i, j), x[i], y);
  }
}

void main() {
  row = gl_WorkGroupID.y * 16 * kRows;
  column = gl_WorkGroupID.x * 16 * kColumns;
  for (uint i = 0; i < kRows; ++i)
    for (uint j = 0; j < kColumns; ++j) SUM(i, j) = ACCUMULATOR(0);
#if $(LOOP)_ == while_
  uint k = 0;
  while (k < size) {
    multiply(k);
    k += 16;
  }
#elif $(LOOP)_ == do_
  uint k = 0;
  do {
    multiply(k);
    k += 16;
  } while (k < size);
#elif $(LOOP)_ == halves_
  for (uint half_of = 0; half_of < 2; ++half_of)
    for (uint k = 0; k < size / 2; k += 16) multiply(half_of * size / 2 + k);
#else
  for (int k = 0; k < int(size); k += 16) multiply(k);
#endif
  for (uint i = 0; i < kRows; ++i)
    for (uint j = 0; j < kColumns; ++j) {
#if $(EPILOGUE)_ == components_
      for (uint e = 0; e < SUM(i, j).length(); ++e) SUM(i, j)[e] = min(SUM(i, j)[e], limit);
#elif $(EPILOGUE)_ == guarded_
      for (uint e = 0; e < SUM(i, j).length(); ++e)
        if (SUM(i, j)[e] > limit) SUM(i, j)[e] = limit;
#else
      for (uint e = 0; e < length; ++e)
        if (SUM(i, j)[e] > limit) SUM(i, j)[e] = limit;
#endif
      coopMatStore(SUM(i, j), c, (row + i * 16) * size + column + j * 16, size,
                   gl_CooperativeMatrixLayoutRowMajor);
    }
}
