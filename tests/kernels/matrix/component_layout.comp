#version 450
// Which invocation holds which component, in each of the driver's component layouts: read and
// written in loops, by literals, and by indices that differ between invocations. ROW and COLUMN are
// those of component j / 32 of invocation j % 32.
//! each NAME LAYOUT G T USE R C ROW COLUMN
//!+  = native_a native float16_t f16 A 16 16 j/16 j%16
//!+  | native_b native int8_t s8 B 32 16 j/16 j%16
//!+  | nvidia_f16_a nvidia float16_t f16 A 16 16 j/128*8+j%32/4 j/64%2*8+j%4*2+j/32%2
//!+  | nvidia_f16_b nvidia float16_t f16 B 16 16 j/64%2*8+j%4*2+j/32%2 j/128*8+j%32/4
//!+  | nvidia_f32_c nvidia float f32 Accumulator 16 16 j/128*8+j%32/4 j/64%2*8+j%4*2+j/32%2
//!+  | nvidia_s8_a nvidia int8_t s8 A 16 32 j/256*8+j%32/4 j/128%2*16+j%4*4+j/32%4
//!+  | nvidia_s8_b nvidia int8_t s8 B 32 16 j/128%2*16+j%4*4+j/32%4 j/256*8+j%32/4
//!+  | ptx_f16_a ptx float16_t f16 A 16 16 j/64%2*8+j%32/4 j/128*8+j%4*2+j/32%2
//!+  | ptx_f16_b ptx float16_t f16 B 16 16 j/64%2*8+j%4*2+j/32%2 j/128*8+j%32/4
//!+  | ptx_f32_c ptx float f32 Accumulator 16 16 j/64%2*8+j%32/4 j/128*8+j%4*2+j/32%2
//!+  | ptx_s8_a ptx int8_t s8 A 16 32 j/128%2*8+j%32/4 j/256*16+j%4*4+j/32%4
//!+  | ptx_s8_b ptx int8_t s8 B 32 16 j/128%2*16+j%4*4+j/32%4 j/256*8+j%32/4
//!+  | ptx_f32_a ptx float f32 A 16 16 j/32%2*8+j%32/4 j/64*4+j%4
//!+  | ptx_f32_b ptx float f32 B 8 8 j/32*4+j%4 j%32/4
//!+  | ptx_8x8_f16 ptx float16_t f16 A 8 8 j%32/4 j%4*2+j/32
//! each ACCESS = loop | literal | rotated
//! require cooperativeMatrix shaderFloat16 shaderInt8 storageBuffer16BitAccess storageBuffer8BitAccess
//! setting component_layout $(LAYOUT)
//! subgroup 32 full
//! buffer source $(T)[$(R) * $(C)] binding 0 = i % 101
//! buffer found s32[$(R) * $(C)] binding 1 scratch
//! buffer written $(T)[$(R) * $(C)] binding 2 scratch
//! dispatch 1
//! check count(j, 0, $(R) * $(C), @found[j] == (($(ROW)) * $(C) + $(COLUMN)) % 101) == $(R) * $(C)
//! check count(j, 0, $(R) * $(C), @written[($(ROW)) * $(C) + $(COLUMN)] == (j % 3 == 0 ? -1 : j % 103)) == $(R) * $(C)
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Source { G source[]; };
layout(binding = 1) writeonly buffer Found { int found[]; };
layout(binding = 2) writeonly buffer Written { G written[]; };
#define MATRIX coopmat<G, gl_ScopeSubgroup, R, C, gl_MatrixUse$(USE)>
#define LENGTH (R * C / 32)
const int loop = 0, literal = 1, rotated = 2;
uint lane = gl_LocalInvocationIndex;

// What component `index` of this invocation becomes, and whether it does.
G number(uint index) { return G((index * 32 + lane) % 103); }
bool isKept(uint index) { return (index * 32 + lane) % 3 == 0; }

void main() {
  MATRIX m, n = MATRIX(G(-1));
  coopMatLoad(m, source, 0, C, gl_CooperativeMatrixLayoutRowMajor);
#define MOVE(index)                            \
  found[(index)*32 + lane] = int(m[index]);    \
  if (!isKept(index)) n[index] = number(index)
  if (ACCESS == loop) {
    for (uint k = 0; k < m.length(); ++k) {
      MOVE(k);
    }
  } else if (ACCESS == rotated) {
    for (uint k = 0; k < m.length(); ++k) {
      uint own = (k + lane) % LENGTH;
      MOVE(own);
    }
  } else {
    MOVE(0); MOVE(1);
#if LENGTH > 2
    MOVE(2); MOVE(3); MOVE(4); MOVE(5); MOVE(6); MOVE(7);
#endif
#if LENGTH > 8
    MOVE(8); MOVE(9); MOVE(10); MOVE(11); MOVE(12); MOVE(13); MOVE(14); MOVE(15);
#endif
  }
  coopMatStore(n, written, 0, C, gl_CooperativeMatrixLayoutRowMajor);
}
