#version 450
// ldmatrix.sync.aligned.m16n16.{x1,x2}.trans.b8x16.{b6x16_p32,b4x16_p64} {r0, r1, ...}, [p];
// ldmatrix.sync.aligned.m8n16.{x2,x4}.b8x16.{b6x16_p32,b4x16_p64} {r0, r1, ...}, [p];
//
// A row in memory is 16 elements of 6 or 4 bits and as many bits of padding as make it 16 bytes. In
// a register each element has 8 bits, the lowest of which it takes. A decode function does that,
// and a load through a tensor layout whose blocks are rows of 16; a view that swaps the dimensions
// is .trans. Two m8n16 above each other are one 16x16 matrix. registers[n * 32 + t] is register r_n
// of thread t.
//! each NUM COUNT = x1 1 | x2 2
//! each FORMAT BITS = b6x16_p32 6 | b4x16_p64 4
//! each SHAPE TRANS ROW ELEMENT STEP ESTEP
//!+  = m16n16_trans true i/64*16+i%4*4 i/32%2*8+i%32/4 1 0
//!+  | m8n16 false i/32*8+i%32/4 i%4*4 0 1
//! setting component_layout ptx
//! require cooperativeMatrix cooperativeMatrixTensorAddressing cooperativeMatrixBlockLoads
//! require bufferDeviceAddress shaderInt8 storageBuffer8BitAccess
//! subgroup 32 full
//! buffer memory u8[$(COUNT) * 16 * 16] binding 0 = random(0, 255, 1)
//! buffer registers u32[$(COUNT) * 64] binding 1
//! dispatch 1
//! expect registers = (((memory[($(ROW))*16+($(ELEMENT))*$(BITS)/8] | memory[($(ROW))*16+($(ELEMENT))*$(BITS)/8+1] << 8) >> ($(ELEMENT))*$(BITS)%8) & (1<<$(BITS))-1)
//!+  | (((memory[($(ROW)+$(STEP))*16+($(ELEMENT)+$(ESTEP))*$(BITS)/8] | memory[($(ROW)+$(STEP))*16+($(ELEMENT)+$(ESTEP))*$(BITS)/8+1] << 8) >> ($(ELEMENT)+$(ESTEP))*$(BITS)%8) & (1<<$(BITS))-1) << 8
//!+  | (((memory[($(ROW)+2*$(STEP))*16+($(ELEMENT)+2*$(ESTEP))*$(BITS)/8] | memory[($(ROW)+2*$(STEP))*16+($(ELEMENT)+2*$(ESTEP))*$(BITS)/8+1] << 8) >> ($(ELEMENT)+2*$(ESTEP))*$(BITS)%8) & (1<<$(BITS))-1) << 16
//!+  | (((memory[($(ROW)+3*$(STEP))*16+($(ELEMENT)+3*$(ESTEP))*$(BITS)/8] | memory[($(ROW)+3*$(STEP))*16+($(ELEMENT)+3*$(ESTEP))*$(BITS)/8+1] << 8) >> ($(ELEMENT)+3*$(ESTEP))*$(BITS)%8) & (1<<$(BITS))-1) << 24
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Memory { uint8_t memory[]; };
layout(binding = 1) writeonly buffer Registers { uint registers[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer PackedRow {
  uint words[4];
};

uint8_t unpack(const in PackedRow row, const in uint block[2], const in uint within[2]) {
  const uint bit = within[1] * BITS, word = bit / 32, shift = bit % 32;
  uint value = row.words[word] >> shift;
  if (shift + BITS > 32) value |= row.words[word + 1] << (32 - shift);
  return uint8_t(value & ((1u << BITS) - 1));
}

void main() {
  const uint thread = gl_LocalInvocationIndex;
  tensorLayoutNV<2> whole = createTensorLayoutNV(2);
  whole = setTensorLayoutBlockSizeNV(whole, 1, 16);
  whole = setTensorLayoutDimensionNV(whole, COUNT * 16, 16);
  tensorViewNV<2, false, 1, 0> transposed = createTensorViewNV(2, false, 1, 0);
  for (uint q = 0; q < COUNT; ++q) {
    tensorLayoutNV<2> rows = sliceTensorLayoutNV(whole, q * 16, 16, 0, 16);
    coopmat<uint8_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> matrix;
    if (TRANS) {
      coopMatLoadTensorNV(matrix, memory, 0, rows, transposed, unpack);
    } else {
      coopMatLoadTensorNV(matrix, memory, 0, rows, unpack);
    }
    for (uint r = 0; r < 2; ++r) {
      u8vec4 bytes = u8vec4(matrix[4 * r], matrix[4 * r + 1], matrix[4 * r + 2], matrix[4 * r + 3]);
      registers[(2 * q + r) * 32 + thread] = pack32(bytes);
    }
  }
}
