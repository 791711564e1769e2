#version 450
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
// Products of rows of blocks, a scale and 32 numbers of 4 bits each, with a vector: 16 invocations read
// one block, its scale all of them, and the last ones of a row have none.
//! require shaderFloat16 shaderInt8 storageBuffer16BitAccess storageBuffer8BitAccess
//! each INT = uint | int
//! each BLOCKS = 8 | 7
//! remarks "gather" 0 "scatter" 0
//! buffer a u8[16 * $(BLOCKS) * 18] binding 0 = i % 18 == 0 ? 0 : i % 18 == 1 ? 0x3c : i % 256
//! buffer x f32[256] binding 1 = i % 5
//! buffer y f32[16] binding 2
//! push u32 $(BLOCKS)
//! subgroup 32
//! dispatch 16
//! expect y = sum(k, 0, 16 * $(BLOCKS), (((i * $(BLOCKS) + k / 16) * 18 + 2 + k % 16) % 16 - 8) * ((k / 16 * 32 + k % 16) % 5) + (((i * $(BLOCKS) + k / 16) * 18 + 2 + k % 16) % 256 / 16 - 8) * ((k / 16 * 32 + k % 16 + 16) % 5))
layout(local_size_x = 32) in;
struct Block {
  float16_t scale;
  uint8_t numbers[16];
};
layout(binding = 0) readonly buffer A { Block a[]; };
layout(binding = 1) readonly buffer X { float x[]; };
layout(binding = 2) writeonly buffer Y { float y[]; };
layout(push_constant) uniform Push { uint blocks; };
shared float parts[32];

void main() {
  const INT lane = INT(gl_LocalInvocationIndex), row = INT(gl_WorkGroupID.x) * INT(blocks);
  float sum = 0;
  for (INT i = lane; i < 16 * INT(blocks); i += 32) {
    const INT block = i >> 4, place = i & 15;
    const uint pair = uint(a[row + block].numbers[place]);
    const float low = float(int(pair & 15) - 8), high = float(int(pair >> 4) - 8);
    sum += float(a[row + block].scale) *
           (low * x[block * 32 + place] + high * x[block * 32 + place + 16]);
  }
  parts[lane] = sum;
  barrier();
  for (uint step = 16; step > 0; step /= 2) {
    if (uint(lane) < step) parts[lane] += parts[lane + INT(step)];
    barrier();
  }
  if (lane == 0) y[gl_WorkGroupID.x] = parts[0];
}
