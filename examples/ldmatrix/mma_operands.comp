#version 450
// What ldmatrix is for: the operands of mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32.
//
// A lies in shared memory by rows; ldmatrix.x4 of its four 8x8 matrices - left half from the top,
// then right half - gives its fragment a0 to a7. B lies by rows too; ldmatrix.x2.trans of its two
// gives b0 to b3. As matrices of the whole size they have the same components, and the components of
// the result are c0 to c3.
//! setting component_layout ptx
//! require cooperativeMatrix shaderFloat16 storageBuffer16BitAccess
//! require matrix 16 8 16 f16 f16 f32 f32
//! require matrix 8 8 8 f16 f16 f32 f32
//! subgroup 32 full
//! buffer a f16[256] binding 0 = random(-8, 8, 1)
//! buffer b f16[128] binding 1 = random(-8, 8, 2)
//! buffer a_fragments f16[256] binding 2
//! buffer a_components f16[256] binding 3
//! buffer b_fragments f16[128] binding 4
//! buffer b_components f16[128] binding 5
//! buffer c f32[128] binding 6
//! dispatch 1
//! expect a_fragments = a[(i/2%2*8+i/8/4)*16 + i/4%2*8+i/8%4*2+i%2]
//! expect a_components = @a_fragments[i]
//! expect b_fragments = b[(i/2%2*8+i/4%4*2+i%2)*8 + i/16]
//! expect b_components = @b_fragments[i]
//! expect c = sum(k, 0, 16, a[(i/2%2*8+i/16)*16 + k] * b[k*8 + i/4%4*2+i%2])
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer A { float16_t a[]; };
layout(binding = 1) readonly buffer B { float16_t b[]; };
// Of each thread the elements of its fragment, one thread after the other.
layout(binding = 2) writeonly buffer AFragments { float16_t a_fragments[]; };
layout(binding = 3) writeonly buffer AComponents { float16_t a_components[]; };
layout(binding = 4) writeonly buffer BFragments { float16_t b_fragments[]; };
layout(binding = 5) writeonly buffer BComponents { float16_t b_components[]; };
layout(binding = 6) writeonly buffer C { float c[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor, column = gl_CooperativeMatrixLayoutColumnMajor;
#define MATRIX(type, rows, columns, use) coopmat<type, gl_ScopeSubgroup, rows, columns, gl_MatrixUse##use>

shared float16_t a_tile[16 * 16], b_tile[16 * 8];

void main() {
  const uint thread = gl_LocalInvocationIndex;
  for (uint k = thread; k < 256; k += 32) a_tile[k] = a[k];
  for (uint k = thread; k < 128; k += 32) b_tile[k] = b[k];
  barrier();

  // ldmatrix.sync.aligned.m8n8.x4.shared.b16 {r0, r1, r2, r3}, [p];
  for (uint q = 0; q < 4; ++q) {
    MATRIX(float16_t, 8, 8, A) part;
    coopMatLoad(part, a_tile, q % 2 * 8 * 16 + q / 2 * 8, 16, row);
    a_fragments[thread * 8 + 2 * q] = part[0];
    a_fragments[thread * 8 + 2 * q + 1] = part[1];
  }
  // ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {r0, r1}, [p];
  for (uint q = 0; q < 2; ++q) {
    MATRIX(float16_t, 8, 8, A) part;
    coopMatLoad(part, b_tile, q * 8 * 8, 8, column);
    b_fragments[thread * 4 + 2 * q] = part[0];
    b_fragments[thread * 4 + 2 * q + 1] = part[1];
  }

  MATRIX(float16_t, 16, 16, A) left;
  MATRIX(float16_t, 16, 8, B) right;
  coopMatLoad(left, a_tile, 0, 16, row);
  coopMatLoad(right, b_tile, 0, 8, row);
  for (uint k = 0; k < 8; ++k) a_components[thread * 8 + k] = left[k];
  for (uint k = 0; k < 4; ++k) b_components[thread * 4 + k] = right[k];

  MATRIX(float, 16, 8, Accumulator) sum = MATRIX(float, 16, 8, Accumulator)(0.0);
  sum = coopMatMulAdd(left, right, sum);
  for (uint k = 0; k < 4; ++k) c[thread * 4 + k] = sum[k];
}
