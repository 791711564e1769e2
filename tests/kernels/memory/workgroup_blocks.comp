#version 450
// Workgroup variables with an explicit layout are views of one memory: bytes, halves, words and
// structures of any alignment see each other's values.
//! require workgroupMemoryExplicitLayout workgroupMemoryExplicitLayout8BitAccess
//! require workgroupMemoryExplicitLayout16BitAccess workgroupMemoryExplicitLayoutScalarBlockLayout
//! require shaderInt8 shaderInt16 shaderFloat16
//! buffer words u32[64] binding 0 = random(0, 4294967295, 1)
//! buffer bytes u32[256] binding 1
//! buffer halves u32[128] binding 2
//! buffer parts f32[48] binding 3
//! buffer rows f32[16] binding 4
//! dispatch 1
//! expect bytes = words.u8[i]
//! expect halves = words.u16[i]
//! expect parts = i % 3 < 2 ? i / 3 * 2 + i % 3 : i / 3 + 100
//! expect rows = i / 4 * 10 + i % 4
#extension GL_EXT_shared_memory_block : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Words { uint words[]; };
layout(binding = 1) writeonly buffer Bytes { uint bytes[]; };
layout(binding = 2) writeonly buffer Halves { uint halves[]; };
layout(binding = 3) writeonly buffer Parts { float parts[]; };
layout(binding = 4) writeonly buffer Rows { float rows[]; };
shared W { uint data[64]; } w;
shared B { uint8_t data[256]; } b;
shared H { uint16_t data[128]; } h;
struct Part { vec2 pair; float one; };
layout(scalar) shared P { Part data[16]; } p;
layout(row_major) shared M { mat4 matrix; } m;
shared F { float data[64]; } f;

void main() {
  uint i = gl_LocalInvocationID.x;
  w.data[i] = words[i];
  barrier();
  for (uint k = 0; k < 4; ++k) bytes[4 * i + k] = b.data[4 * i + k];
  for (uint k = 0; k < 2; ++k) halves[2 * i + k] = h.data[2 * i + k];
  barrier();
  if (i < 16) {
    p.data[i].pair = vec2(2 * i, 2 * i + 1);
    p.data[i].one = 100 + i;
  }
  barrier();
  if (i < 48) parts[i] = f.data[i];
  barrier();
  if (i < 4) m.matrix[i] = vec4(0, 10, 20, 30) + i * vec4(1);
  barrier();
  if (i < 16) rows[i] = f.data[i];
}
