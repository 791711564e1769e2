#version 450
// Dot products of vectors of two to four integers of 8 to 64 bits, signed, unsigned and mixed;
// and with an accumulator that saturates.
//! each TYPE BITS WIDE RESULT = s8 8 s32 32 | s16 16 s32 32 | s32 32 s32 32 | s64 64 s64 64
//! each COUNT = 2 | 3 | 4
//! require shaderIntegerDotProduct shaderInt8 shaderInt16 shaderInt64
//! require storageBuffer8BitAccess storageBuffer16BitAccess
//! buffer a $(TYPE)[400] binding 0 = random(-120, 120, 1)
//! buffer b $(TYPE)[400] binding 1 = random(-120, 120, 2)
//! buffer c $(WIDE)[100] binding 2 = i % 2 ? (1 << $(RESULT) - 1) - 1 - i : -(1 << $(RESULT) - 1) + i
//! buffer results $(WIDE)[400] binding 3
//! dispatch 1
//! expect results[0..100] = sum(k, 0, $(COUNT), a[4*n+k] * b[4*n+k])
//! expect results[100..200] = sum(k, 0, $(COUNT), abs(a[4*n+k]) * abs(b[4*n+k]))
//! expect results[200..300] = sum(k, 0, $(COUNT), a[4*n+k] * abs(b[4*n+k]))
//! expect results[300..400] = clamp(c[n] + sum(k, 0, $(COUNT), a[4*n+k] * b[4*n+k]),
//!+   -(1 << $(RESULT) - 1), (1 << $(RESULT) - 1) - 1)
#extension GL_EXT_integer_dot_product : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x = 100) in;
#define s32 int
#define s64 int64_t
#define JOIN2(a, b, c, d) a##b##c##d
#define JOIN(a, b, c, d) JOIN2(a, b, c, d)
#define SIGNED JOIN(i, BITS, vec, COUNT)
#define UNSIGNED JOIN(u, BITS, vec, COUNT)
#define FOUR JOIN(i, BITS, vec, 4)
layout(binding = 0, scalar) readonly buffer A { FOUR a[]; };
layout(binding = 1, scalar) readonly buffer B { FOUR b[]; };
layout(binding = 2, scalar) readonly buffer C { WIDE c[]; };
layout(binding = 3, scalar) writeonly buffer Results { WIDE results[]; };

void main() {
  uint n = gl_LocalInvocationID.x;
  SIGNED x = SIGNED(a[n]), y = SIGNED(b[n]);
  results[n] = dotEXT(x, y);
  results[100 + n] = WIDE(dotEXT(UNSIGNED(abs(x)), UNSIGNED(abs(y))));
  results[200 + n] = dotEXT(x, UNSIGNED(abs(y)));
  results[300 + n] = dotAccSatEXT(x, y, c[n]);
}
