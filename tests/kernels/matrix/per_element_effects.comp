#version 450
// Functions that write memory and count, for tiles of several sizes: once or more for each element,
// and for nothing else.
//! each SIZE ROWS COLUMNS = 16x16 16 16 | 16x8 16 8 | 8x8 8 8
//! each WIDTH = 32 | 64
//! require cooperativeMatrix shaderFloat16
//! require cooperativeMatrixPerElementOperations
//! require matrix_type $(ROWS) $(COLUMNS) Accumulator f32
//! subgroup $(WIDTH) full
//! buffer data f32[260] binding 0 = random(-4, 4, 1)
//! buffer seen u32[260] binding 1 = 0
//! buffer copy f32[260] binding 2 = -1
//! buffer result f32[260] binding 3 = -1
//! buffer positive u32[1] binding 4 scratch = 0
//! dispatch 1
//! check count(k, 0, $(ROWS) * $(COLUMNS), @seen[k] >= 1) == $(ROWS) * $(COLUMNS)
//! expect seen[$(ROWS) * $(COLUMNS)..260] = 0
//! expect copy[0..$(ROWS) * $(COLUMNS)] = data[i] + i
//! expect copy[$(ROWS) * $(COLUMNS)..260] = -1
//! expect result[0..$(ROWS) * $(COLUMNS)] = data[i] > 0 ? data[i] : 0
//! expect result[$(ROWS) * $(COLUMNS)..260] = -1
//! check @positive[0] >= count(k, 0, $(ROWS) * $(COLUMNS), data[k] > 0)
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = WIDTH) in;
layout(binding = 0) readonly buffer Data { float data[]; };
layout(binding = 1) buffer Seen { uint seen[]; };
layout(binding = 2) buffer Copy { float copy[]; };
layout(binding = 3) writeonly buffer Result { float result[]; };
layout(binding = 4) buffer Positive { uint positive; };
const int row = gl_CooperativeMatrixLayoutRowMajor;

float look(const in uint32_t r, const in uint32_t c, const in float x) {
  uint at = r * COLUMNS + c;
  atomicAdd(seen[at], 1);
  copy[at] = x + float(at);
  if (x > 0) {
    atomicAdd(positive, 1);
    return x;
  }
  return 0;
}

void main() {
  coopmat<float, gl_ScopeSubgroup, ROWS, COLUMNS, gl_MatrixUseAccumulator> m;
  coopMatLoad(m, data, 0, COLUMNS, row);
  coopMatPerElementNV(m, m, look);
  coopMatStore(m, result, 0, COLUMNS, row);
}
