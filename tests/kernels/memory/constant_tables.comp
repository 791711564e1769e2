#version 450
// Arrays of constants, read at places that are known at run time only: by all invocations alike and
// by each for itself, in loops that they leave at different times, in functions, of structures and
// vectors, of Booleans and small types; and variables that begin as a constant, or become one
// constant and then another, and are none.
//! buffer places u32[64] binding 0 = (i * 7 + 3) % 16
//! buffer alike u32[64] binding 1
//! buffer own u32[64] binding 2
//! buffer looped u32[64] binding 3
//! buffer called u32[64] binding 4
//! buffer parts f32[64] binding 5
//! buffer flags u32[64] binding 6
//! buffer bytes u32[64] binding 7
//! buffer changed u32[64] binding 8
//! buffer two u32[64] binding 9
//! subgroup 32
//! dispatch 64
//! expect alike = 9 * 9 + 1
//! expect own = ((i * 7 + 3) % 16) * ((i * 7 + 3) % 16) + 1
//! expect looped = (i % 4 + 1) * (i % 4) * (2 * (i % 4) + 1) / 6 + i % 4 + 1
//! expect called = (i % 16) * (i % 16) + 1 + ((i + 5) % 16) * ((i + 5) % 16) + 1
//! expect parts = (i % 3) * 10 + i % 4
//! expect flags = i % 5 == 0 || i % 5 == 3
//! expect bytes = 200 + i % 8
//! expect changed = i % 4 == 1 ? 77 : (i % 4) * 2 + 2
//! expect two = i % 2 == 0 ? 10 + i % 3 : 20 + i % 3
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Places { uint places[64]; };
layout(binding = 1) buffer Alike { uint alike[64]; };
layout(binding = 2) buffer Own { uint own[64]; };
layout(binding = 3) buffer Looped { uint looped[64]; };
layout(binding = 4) buffer Called { uint called[64]; };
layout(binding = 5) buffer Parts { float parts[64]; };
layout(binding = 6) buffer Flags { uint flags[64]; };
layout(binding = 7) buffer Bytes { uint bytes[64]; };
layout(binding = 8) buffer Changed { uint changed[64]; };
layout(binding = 9) buffer Two { uint two[64]; };

const uint kSquares[16] =
    uint[](1, 2, 5, 10, 17, 26, 37, 50, 65, 82, 101, 122, 145, 170, 197, 226);
struct Row {
  uint number;
  vec4 values;
};
const Row kRows[3] = Row[](Row(0, vec4(0, 1, 2, 3)), Row(1, vec4(10, 11, 12, 13)),
                           Row(2, vec4(20, 21, 22, 23)));
const bool kFlags[5] = bool[](true, false, false, true, false);

uint square(uint at) { return kSquares[at]; }

void main() {
  const uint i = gl_LocalInvocationIndex;
  alike[i] = kSquares[places[10] + 0u];
  own[i] = kSquares[places[i]];
  uint sum = 0;
  for (uint k = 0;; ++k) {
    sum += kSquares[k];
    if (k >= i % 4) break;
  }
  looped[i] = sum;
  called[i] = square(i % 16) + square((i + 5) % 16);
  parts[i] = kRows[i % 3].values[i % 4];
  flags[i] = uint(kFlags[i % 5]);
  const uint8_t small[8] = uint8_t[](uint8_t(200), uint8_t(201), uint8_t(202), uint8_t(203),
                                     uint8_t(204), uint8_t(205), uint8_t(206), uint8_t(207));
  bytes[i] = uint(small[i % 8]);
  uint begun[4] = uint[](2, 4, 6, 8);
  begun[1] = 77;
  changed[i] = begun[i % 4];
  uint either[3];
  if (i % 2 == 0)
    either = uint[](10, 11, 12);
  else
    either = uint[](20, 21, 22);
  two[i] = either[i % 3];
}
