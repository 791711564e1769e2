#version 450
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
// A tile of a matrix goes through shared memory, as products of matrices stage their operands, in ways
// that mean the same: types of the counter, forms of the loop, how an element's number is taken apart.
// None of them fetches element by element.
//! require shaderFloat16 storageBuffer16BitAccess shaderInt8 storageBuffer8BitAccess
//! each TYPE ELEMENT = f32 float | s8 int8_t
//! each INT LETTER = uint u | int s
//! each LOOP = for | while | do | breaks
//! each INDEX = named | inline | shifted
//! each K = 16 | 64
//! remarks "gather" 0 "scatter" 0
//! buffer a $(TYPE)[12800] binding 0 = (i * 7 + 1) % 100
//! buffer tile $(TYPE)[64 * $(K)] binding 1
//! push $(LETTER)32 200, $(LETTER)32 3
//! dispatch 1
//! expect tile = ((i / $(K) * 200 + 3 + i % $(K)) * 7 + 1) % 100
layout(local_size_x = 128) in;
layout(binding = 0) readonly buffer A { ELEMENT a[]; };
layout(binding = 1) writeonly buffer Tile { ELEMENT tile[]; };
layout(push_constant) uniform Push { INT stride, first; };
const INT kPad = 4, kRow = K + kPad, kAll = 64 * K;
shared ELEMENT staged[64 * (K + 4)];

#define for_ 1
#define while_ 2
#define do_ 3
#define breaks_ 4
#define named_ 1
#define inline_ 2
#define shifted_ 3

void stage(INT e) {
#if $(INDEX)_ == named_
  const INT row = e / K, column = e % K;
  staged[row * kRow + column] = a[row * stride + first + column];
#elif $(INDEX)_ == inline_
  staged[e / K * kRow + e % K] = a[first + e % K + e / K * stride];
#else
  const INT bits = K == 16 ? 4 : K == 32 ? 5 : 6;
  staged[(e >> bits) * kRow + (e & (K - 1))] = a[(e >> bits) * stride + (e & (K - 1)) + first];
#endif
}

void main() {
  const INT lane = INT(gl_LocalInvocationIndex);
#if $(LOOP)_ == for_
  for (INT e = lane; e < kAll; e += 128) stage(e);
#elif $(LOOP)_ == while_
  INT e = lane;
  while (e < kAll) {
    stage(e);
    e += 128;
  }
#elif $(LOOP)_ == do_
  INT e = lane;
  do {
    stage(e);
    e += 128;
  } while (e < kAll);
#else
  for (INT step = 0;; ++step) {
    const INT e = step * 128 + lane;
    if (e >= kAll) break;
    stage(e);
  }
#endif
  barrier();
  for (INT e = lane; e < kAll; e += 128) tile[e] = staged[e / K * kRow + e % K];
}
