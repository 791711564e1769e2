#version 450
// ldmatrix.sync.aligned.m8n8.{x1,x2,x4}{.trans}.shared.b16 {r0, ...}, [p];
//
// Matrix q is rows 8q to 8q + 7 of the tile in shared memory: what threads 8q to 8q + 7 would give
// the addresses of. registers[q * 32 + t] is register r_q of thread t: its low half is the element
// with the lower column.
//! each NUM COUNT = x1 1 | x2 2 | x4 4
//! each TRANS LAYOUT FIRST SECOND
//!+  = plain Row (i/32*8+i%32/4)*24+i%4*2 (i/32*8+i%32/4)*24+i%4*2+1
//!+  | trans Column (i/32*8+i%4*2)*24+i%32/4 (i/32*8+i%4*2+1)*24+i%32/4
//! setting component_layout ptx
//! require cooperativeMatrix shaderFloat16 shaderInt16 storageBuffer16BitAccess
//! require matrix 8 8 8 f16 f16 f16 f16
//! subgroup 32 full
//! buffer memory u16[$(COUNT) * 8 * 24] binding 0 = random(0, 65535, 1)
//! buffer registers u32[$(COUNT) * 32] binding 1
//! dispatch 1
//! expect registers = memory[$(FIRST)] | memory[$(SECOND)] << 16
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Memory { uint16_t memory[]; };
layout(binding = 1) writeonly buffer Registers { uint registers[]; };

const uint kStride = 24;  // elements from row to row: 48 bytes, so rows are aligned to 16
shared uint16_t tile[COUNT * 8 * kStride];

// One register of two elements.
uint pack(float16_t low, float16_t high) {
  return pack32(u16vec2(float16BitsToUint16(low), float16BitsToUint16(high)));
}

void main() {
  const uint thread = gl_LocalInvocationIndex;
  for (uint k = thread; k < COUNT * 8 * kStride; k += 32) tile[k] = memory[k];
  barrier();
  for (uint q = 0; q < COUNT; ++q) {
    coopmat<float16_t, gl_ScopeSubgroup, 8, 8, gl_MatrixUseA> matrix;
    coopMatLoad(matrix, tile, q * 8 * kStride, kStride, gl_CooperativeMatrixLayout$(LAYOUT)Major);
    registers[q * 32 + thread] = pack(matrix[0], matrix[1]);
  }
}
