#version 450
// Floats of 16 bits that are only moved keep their bits, those of signalling NaNs and subnormals
// too: what a subgroup shares and what it does not, handed on by loops, chosen, in arrays and
// vectors at places that memory says, passed to functions, and where a number is computed from
// them.
//! each TYPE T V FEATURE = bf16 bfloat16_t bf16vec4 shaderBFloat16Type
//!+  | f16 float16_t f16vec4 shaderFloat16
//! require $(FEATURE) storageBuffer16BitAccess
//! buffer source u16[65536] binding 0 = i
//! buffer places u32[4] binding 1 = { 1, 3, 0, 2 }
//! buffer handed u16[65536] binding 2
//! buffer chosen u16[65536] binding 3
//! buffer numbers f32[65536] binding 4
//! buffer stopped u16[65536] binding 5
//! buffer indexed u16[65536] binding 6
//! buffer vectors u16[65536] binding 7
//! subgroup 32
//! dispatch 256
//! expect handed = i / 256 * 256 + (i + 255) % 256
//! expect chosen = i % 3 == 0 ? i / 256 * 256 + (i + 255) % 256 : i
//! expect numbers = i % 3 == 0 ? from_bits_$(TYPE)(i / 256 * 256 + (i + 255) % 256) : 0
//! expect stopped = i / 8 * 8 + min(i % 8, i / 8 % 8)
//! expect indexed = i / 8 * 8 + (i + 6) % 8
//! expect vectors = i / 4 * 4 + (i % 4 == 1 ? (i / 4) % 4 : i % 4)
#extension GL_EXT_bfloat16 : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Source { T source[]; };
layout(binding = 1) readonly buffer Places { uint places[4]; };
layout(binding = 2) writeonly buffer Handed { T handed[]; };
layout(binding = 3) writeonly buffer Chosen { T chosen[]; };
layout(binding = 4) writeonly buffer Numbers { float numbers[]; };
layout(binding = 5) writeonly buffer Stopped { T stopped[]; };
layout(binding = 6) writeonly buffer Indexed { T indexed[]; };
layout(binding = 7) writeonly buffer Vectors { T vectors[]; };

// All invocations of the subgroup move the same values.
void moveShared(uint first) {
  T last = source[first + 255];
  for (uint k = 0; k < 256; ++k) {
    T now = source[first + k];
    float number = 0;
    handed[first + k] = last;
    T one = now;
    if ((first + k) % 3 == 0) {
      one = last;
      number = float(last);
    }
    chosen[first + k] = one;
    numbers[first + k] = number;
    last = now;
  }
}

T pick(bool first, T a, T b) {
  if (first) return a;
  return b;
}

// Each invocation has eight of its own.
void moveOwn(uint first, uint turns) {
  T own[8];
  for (uint k = 0; k < 8; ++k) own[(k + turns) % 8] = source[first + k];
  for (uint k = 0; k < 8; ++k)
    indexed[first + (k + places[3] + 4) % 8] = own[(k + turns + 4) % 8];
  T next = source[first];
  for (uint k = 0; k < turns; ++k) {
    stopped[first + k] = next;
    next = pick(k % 2 == 0, source[first + k + 1], source[(first + k + 1) % 65536]);
  }
  for (uint k = turns; k < 8; ++k) stopped[first + k] = next;
  for (uint k = 0; k < 8; k += 4) {
    V v = V(source[first + k], source[first + k + 1], source[first + k + 2], source[first + k + 3]);
    v[places[0] % 4 + places[2]] = v[(first + k) / 4 % 4];
    for (uint c = 0; c < 4; ++c) vectors[first + k + c] = v[c];
  }
}

void main() {
  moveShared(gl_WorkGroupID.x * 256);
  uint first = gl_WorkGroupID.x * 256 + gl_LocalInvocationIndex * 8;
  moveOwn(first, first / 8 % 8);
}
