#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
// A product whose sums the loop over K also scales, reads or writes: all tiles of a subgroup are multiplied
// together up to there and go on, however the loop gets its operands. A single tile is left alone where each
// step does more to it than to add a product.
// (Changes component by component in the loop are not taken.)
//! each BLOCK OF_A GA C GC FEATURE K ROWS COLUMNS CORNER ALONE O =
//!+  one f16 float16_t f32 float shaderFloat16 16 1 1 0 1 0 | one_early f16 float16_t f32 float shaderFloat16 16 1 1 0 1 1
//!+  | square f16 float16_t f32 float shaderFloat16 16 2 2 0 0 0 | early f16 float16_t f32 float shaderFloat16 16 2 2 0 0 1
//!+  | staged f16 float16_t f32 float shaderFloat16 16 2 2 0 0 2 | invariant f16 float16_t f32 float shaderFloat16 16 2 2 0 0 3
//!+  | halves f16 float16_t f16 float16_t shaderFloat16 16 2 2 0 0 0 | bytes s8 int8_t s32 int32_t shaderInt8 32 2 2 0 0 2
//!+  | corner f16 float16_t f32 float shaderFloat16 16 2 3 1 1 1
//! each USE U EACH OUT = plain 0 0 0 | before 1 1 0 | after 2 1 0 | components 3 0 1 | added 4 1 0 | looked 5 0 0
//!+  | kept 6 0 0 | restarted 7 1 0 | chosen 8 0 0 | twice 9 0 0
//! require cooperativeMatrix vulkanMemoryModel $(FEATURE) storageBuffer16BitAccess storageBuffer8BitAccess
//! require matrix 16 16 $(K) $(OF_A) $(OF_A) $(C) $(C)
//! remarks "product-not-deferred" $(ALONE)*$(EACH)+$(OUT)*($(ROWS)*$(COLUMNS)-$(CORNER))
//! buffer a $(OF_A)[16 * $(ROWS) * 4 * $(K)] binding 0 = random(-2, 2, 1)
//! buffer b $(OF_A)[4 * $(K) * 16 * $(COLUMNS)] binding 1 = random(-2, 2, 2)
//! buffer c $(C)[16 * $(ROWS) * 16 * $(COLUMNS)] binding 2 = 77
//! buffer seen $(C)[16 * $(ROWS) * 16 * $(COLUMNS)] binding 3 = 77
//! push u32 4, s32 -1
//! subgroup 32 full
//! dispatch 1
//! expect c = $(CORNER) != 0 && i / 48 >= 16 && i % 48 >= 32 ? 77
//!+  : ($(U) == 4 ? 4 : 0) + sum(k, 0, 4 * $(K),
//!+    a[i / (16 * $(COLUMNS)) * 4 * $(K) + k]
//!+    * b[($(O) == 3 ? k % $(K) : k) * 16 * $(COLUMNS) + i % (16 * $(COLUMNS))]
//!+    * ($(U) == 1 && k / $(K) % 2 == 0 || ($(U) == 2 || $(U) == 3) && k / $(K) % 2 == 1
//!+       || $(U) == 8 && k / $(K) < 2 ? -1 : $(U) == 7 && k / $(K) < 2 ? 0 : $(U) == 9 ? 2 : 1))
//! expect seen = $(U) != 5 && $(U) != 6
//!+    || $(CORNER) != 0 && i / 48 >= 16 && i % 48 >= 32 ? 77
//!+  : sum(k, 0, 2 * $(K),
//!+    a[i / (16 * $(COLUMNS)) * 4 * $(K) + k]
//!+    * b[($(O) == 3 ? k % $(K) : k) * 16 * $(COLUMNS) + i % (16 * $(COLUMNS))])
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer ABuffer { GA a[]; };
layout(binding = 1) readonly buffer BBuffer { GA b[]; };
layout(binding = 2) writeonly buffer CBuffer { GC c[]; };
layout(binding = 3) writeonly buffer Seen { GC seen[]; };
layout(push_constant) uniform Push {
  uint steps;
  int scale;
};

#define MATRIX_A coopmat<GA, gl_ScopeSubgroup, 16, K, gl_MatrixUseA>
#define MATRIX_B coopmat<GA, gl_ScopeSubgroup, K, 16, gl_MatrixUseB>
#define ACCUMULATOR coopmat<GC, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>
const int kRow = gl_CooperativeMatrixLayoutRowMajor;
const uint kWidth = 16 * COLUMNS;
#define EACH_TILE                  \
  for (uint i = 0; i < ROWS; ++i)  \
    for (uint j = 0; j < COLUMNS; ++j) \
      if (CORNER == 0 || i < ROWS - 1 || j < COLUMNS - 1)

// Operands (O): loaded where they are multiplied, an iteration earlier, from shared memory, or those of B before
// the loop.
ACCUMULATOR sums[ROWS][COLUMNS];
MATRIX_A x[ROWS];
MATRIX_B y[COLUMNS];
uint row, column;
#if O == 2
shared GA a_stage[ROWS * 16 * K], b_stage[K * COLUMNS * 16];
#endif

void load(uint step) {
#if O == 2
  barrier();
  for (uint e = gl_LocalInvocationIndex; e < ROWS * 16 * K; e += 32)
    a_stage[e] = a[(row + e / K) * steps * K + step * K + e % K];
  for (uint e = gl_LocalInvocationIndex; e < K * COLUMNS * 16; e += 32)
    b_stage[e] = b[(step * K + e / (COLUMNS * 16)) * kWidth + column + e % (COLUMNS * 16)];
  barrier();
  for (uint i = 0; i < ROWS; ++i) coopMatLoad(x[i], a_stage, i * 16 * K, K, kRow);
  for (uint j = 0; j < COLUMNS; ++j) coopMatLoad(y[j], b_stage, j * 16, COLUMNS * 16, kRow);
#else
  for (uint i = 0; i < ROWS; ++i) coopMatLoad(x[i], a, (row + i * 16) * steps * K + step * K, steps * K, kRow);
  if (O != 3)
    for (uint j = 0; j < COLUMNS; ++j) coopMatLoad(y[j], b, step * K * kWidth + column + j * 16, kWidth, kRow);
#endif
}

void store(ACCUMULATOR tile, uint i, uint j, bool is_seen) {
  if (is_seen)
    coopMatStore(tile, seen, (row + i * 16) * kWidth + column + j * 16, kWidth, kRow);
  else
    coopMatStore(tile, c, (row + i * 16) * kWidth + column + j * 16, kWidth, kRow);
}

void main() {
  row = gl_WorkGroupID.y * 16 * ROWS;
  column = gl_WorkGroupID.x * 16 * COLUMNS;
  EACH_TILE sums[i][j] = ACCUMULATOR(0);
  ACCUMULATOR kept[ROWS][COLUMNS];
#if O == 3
  for (uint j = 0; j < COLUMNS; ++j) coopMatLoad(y[j], b, column + j * 16, kWidth, kRow);
#elif O == 1
  load(0);
#endif
  for (uint step = 0; step < steps; ++step) {
#if O != 1
    load(step);
#endif
#if U == 7
    if (step == 2) EACH_TILE sums[i][j] = ACCUMULATOR(0);
#endif
    EACH_TILE {
#if U == 1
      sums[i][j] = sums[i][j] * GC(scale);
#endif
      sums[i][j] = coopMatMulAdd(x[i], y[j], sums[i][j]);
#if U == 2
      sums[i][j] *= GC(scale);
#elif U == 3
      for (uint e = 0; e < sums[i][j].length(); ++e) sums[i][j][e] *= GC(scale);
#elif U == 4
      sums[i][j] = sums[i][j] + ACCUMULATOR(1);
#elif U == 9
      sums[i][j] = coopMatMulAdd(x[i], y[j], sums[i][j]);
#endif
    }
#if U == 5
    if (step == 1) EACH_TILE store(sums[i][j], i, j, true);
#elif U == 6
    if (step == 1) EACH_TILE kept[i][j] = sums[i][j];
#elif U == 8
    if (step == 1) EACH_TILE sums[i][j] = -sums[i][j];
#endif
#if O == 1
    if (step + 1 < steps) load(step + 1);
#endif
  }
#if U == 6
  EACH_TILE store(kept[i][j], i, j, true);
#endif
  EACH_TILE store(sums[i][j], i, j, false);
}
