#version 450
// What is only moved of matrices with floats of 16 bits keeps its bits, those of signalling NaNs
// and subnormals too: components that go from one matrix to another and to memory, that are chosen
// or computed with as well, and matrices in arrays at places that memory says, in shared memory, in
// results of functions, by columns, and across barriers. Infinity is 32640 or 31744.
//! each TYPE T FEATURE INFINITY = bf16 bfloat16_t shaderBFloat16CooperativeMatrix 32640
//!+  | f16 float16_t shaderFloat16 31744
//! each SIZE R C = 16x16 16 16 | 24x8 24 8 | 8x40 8 40
//! each ACCESS DIRECTIVE = plain debug | robust robust
//! require cooperativeMatrix $(FEATURE) storageBuffer16BitAccess
//! require matrix_type $(R) $(C) A $(TYPE)
//! setting component_layout native
//! $(DIRECTIVE)
//! define N=($(R)*$(C))
//! buffer data u16[4 * $(R) * $(C)] binding 0 =
//!+  i % 2 * 32768 + (i % 3 == 0 ? i % 127 + 1 : $(INFINITY) + i * 5 % 127 + 1)
//! buffer places u32[4] binding 1 = { 1, 3, 0, 2 }
//! buffer components u16[$(R) * $(C)] binding 2
//! buffer numbers f32[$(R) * $(C)] binding 3 = 0
//! buffer swapped u16[$(R) * $(C)] binding 4
//! buffer function u16[$(R) * $(C)] binding 5
//! buffer chosen u16[$(R) * $(C)] binding 6
//! buffer handed u16[$(R) * $(C)] binding 7
//! buffer kept u16[2 * $(R) * $(C)] binding 8
//! subgroup 32 full
//! dispatch 1
//! expect components = data[i]
//! expect numbers = i / 32 % 2 == 0 ? from_bits_$(TYPE)(data[i]) : 0
//! expect swapped = i / 32 % 2 == 0 ? data[i + $(R) * $(C)] : data[i]
//! expect function = data[$(R) * $(C) + i % $(R) * $(C) + i / $(R)]
//! expect chosen = i / 32 % 2 == 0 ? data[i] : data[i + $(R) * $(C)]
//! expect handed = data[i + $(R) * $(C) * 2]
//! expect kept[0..$(R) * $(C)] = data[$(R) * $(C) * 3 + i % $(C) * $(R) + i / $(C)]
//! expect kept[$(R) * $(C)..2 * $(R) * $(C)] = data[i + $(R) * $(C)]
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_bfloat16 : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Data { uint16_t data[]; };
layout(binding = 1) readonly buffer Places { uint places[4]; };
layout(binding = 2) writeonly buffer Components { T components[]; };
layout(binding = 3) writeonly buffer Numbers { float numbers[]; };
layout(binding = 4) writeonly buffer Swapped { uint16_t swapped[]; };
layout(binding = 5) writeonly buffer Function { uint16_t function[]; };
layout(binding = 6) writeonly buffer Chosen { uint16_t chosen[]; };
layout(binding = 7) writeonly buffer Handed { uint16_t handed[]; };
layout(binding = 8) writeonly buffer Kept { uint16_t kept[]; };
shared T tile[N];
const int row = gl_CooperativeMatrixLayoutRowMajor, column = gl_CooperativeMatrixLayoutColumnMajor;
#define MATRIX coopmat<T, gl_ScopeSubgroup, R, C, gl_MatrixUseA>

MATRIX other(bool first, MATRIX a, MATRIX b) {
  if (first) return a;
  return b;
}

void main() {
  MATRIX m[4];
  for (uint k = 0; k < 4; ++k) coopMatLoad(m[k], data, k * N, C, row);
  MATRIX a = m[0], b = m[places[0]];
  for (uint k = 0; k < a.length(); ++k) {
    uint place = k * 32 + gl_LocalInvocationIndex;
    components[place] = a[k];
    T one = a[k];
    if (k % 2 == 0) {
      numbers[place] = float(one);
      b[k] = m[1][k];
    } else {
      b[k] = one;
    }
  }
  coopMatStore(b, swapped, 0, C, row);

  coopMatStore(other(places[3] == 2, m[1], m[0]), function, 0, R, column);

  // Chosen for each component.
  MATRIX c = m[0];
  for (uint k = 0; k < c.length(); ++k) c[k] = k % 2 == places[2] ? m[0][k] : m[1][k];
  coopMatStore(c, chosen, 0, C, row);

  // Two that change places in each turn of a loop.
  MATRIX before = m[2], now = m[1];
  for (uint k = 0; k < places[1]; ++k) {
    MATRIX last = before;
    before = now;
    now = last;
  }
  coopMatStore(now, handed, 0, C, row);

  // What was loaded before the barrier is stored after it.
  MATRIX d, e;
  coopMatLoad(d, data, 3 * N, R, column);
  coopMatStore(m[places[1]], tile, 0, C, row);
  barrier();
  coopMatLoad(e, tile, 0, C, row);
  barrier();
  coopMatStore(m[places[3]], tile, 0, C, row);
  barrier();
  coopMatStore(d, kept, 0, C, row);
  coopMatLoad(e, tile, 0, C, row);
  barrier();
  coopMatStore(e, kept, N, C, row);
}
