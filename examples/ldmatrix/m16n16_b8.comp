#version 450
// ldmatrix.sync.aligned.m16n16.{x1,x2}.trans.shared.b8 {r0, r1, ...}, [p];
//
// Matrix q is rows 16q to 16q + 15 of the tile in shared memory. registers[n * 32 + t] is register
// r_n of thread t; its lowest byte is the element with the lowest column. PTX has this shape with
// .trans alone; "plain" is the same without, in which an element's row and column are those in memory.
//! each NUM COUNT = x1 1 | x2 2
//! each TRANS LAYOUT AT STEP
//!+  = trans Column (i/64*16+i%4*4)*48+i/32%2*8+i%32/4 48
//!+  | plain Row (i/64*16+i/32%2*8+i%32/4)*48+i%4*4 1
//! setting component_layout ptx
//! require cooperativeMatrix shaderInt8 storageBuffer8BitAccess
//! require matrix 16 16 16 u8 u8 u32 u32
//! subgroup 32 full
//! buffer memory u8[$(COUNT) * 16 * 48] binding 0 = random(0, 255, 1)
//! buffer registers u32[$(COUNT) * 64] binding 1
//! dispatch 1
//! expect registers = memory[$(AT)] | memory[$(AT)+$(STEP)] << 8 | memory[$(AT)+2*$(STEP)] << 16 | memory[$(AT)+3*$(STEP)] << 24
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Memory { uint8_t memory[]; };
layout(binding = 1) writeonly buffer Registers { uint registers[]; };

const uint kStride = 48;  // elements, which are bytes, from row to row
shared uint8_t tile[COUNT * 16 * kStride];

void main() {
  const uint thread = gl_LocalInvocationIndex;
  for (uint k = thread; k < COUNT * 16 * kStride; k += 32) tile[k] = memory[k];
  barrier();
  for (uint q = 0; q < COUNT; ++q) {
    coopmat<uint8_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> matrix;
    coopMatLoad(matrix, tile, q * 16 * kStride, kStride, gl_CooperativeMatrixLayout$(LAYOUT)Major);
    for (uint r = 0; r < 2; ++r) {
      u8vec4 bytes = u8vec4(matrix[4 * r], matrix[4 * r + 1], matrix[4 * r + 2], matrix[4 * r + 3]);
      registers[(2 * q + r) * 32 + thread] = pack32(bytes);
    }
  }
}
