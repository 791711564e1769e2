#version 450
// Dot products of four bytes, of all signednesses, plain and with a saturating accumulator; the
// same values packed into 32 bits, some of them of 7 bits or fewer. One operand is the same for all
// invocations, or none.
//! each SECOND INDEX = varying n | uniform 7
//! each SIZE = 8 | 32
//! require shaderIntegerDotProduct shaderInt8 storageBuffer8BitAccess
//! subgroup $(SIZE)
//! buffer a s8[400] binding 0 = i % 40 < 8 ? -128 : i % 40 < 12 ? 127 : random(-128, 127, 1)
//! buffer b s8[400] binding 1 = i % 80 < 4 ? -128 : i % 80 < 9 ? 127 : random(-128, 127, 2)
//! buffer c s32[100] binding 2 = i % 3 == 0 ? 2147483600 : i % 3 == 1 ? -2147483600 : 50
//! buffer plain s32[1200] binding 3
//! buffer saturated s32[700] binding 4
//! dispatch 1
//! expect plain[0..100] = sum(k, 0, 4, a[4*n+k] * b[4*$(INDEX)+k])
//! expect plain[100..200] = sum(k, 0, 4, a.u8[4*n+k] * b.u8[4*$(INDEX)+k])
//! expect plain[200..300] = sum(k, 0, 4, a[4*n+k] * b.u8[4*$(INDEX)+k])
//! expect plain[300..400] = sum(k, 0, 4, a.u8[4*n+k] * b[4*$(INDEX)+k])
//! expect plain[400..500] = sum(k, 0, 4, a[4*n+k] * b[4*$(INDEX)+k])
//! expect plain[500..600] = sum(k, 0, 4, a.u8[4*n+k] * b.u8[4*$(INDEX)+k])
//! expect plain[600..700] = sum(k, 0, 4, a[4*n+k] * b.u8[4*$(INDEX)+k])
//! expect plain[700..800] = sum(k, 0, 4, (a.u8[4*n+k] & 127) * b[4*$(INDEX)+k])
//! expect plain[800..900] = sum(k, 0, 4, (a.u8[4*n+k] & 127) * b.u8[4*$(INDEX)+k])
//! expect plain[900..1000] = sum(k, 0, 4, a[4*n+k] * (b.u8[4*$(INDEX)+k] & 127))
//! expect plain[1000..1100] = sum(k, 0, 4, (a.u8[4*n+k] & 127) * (b.u8[4*$(INDEX)+k] & 127))
//! expect plain[1100..1200] = sum(k, 0, 4, (a.u8[4*n+k] & 15) * b[4*$(INDEX)+k])
//! expect saturated[0..100]
//!+   = clamp(c[n] + sum(k, 0, 4, a[4*n+k] * b[4*$(INDEX)+k]), -2147483648, 2147483647)
//! expect saturated.u32[100..200]
//!+   = min(c.u32[n] + sum(k, 0, 4, a.u8[4*n+k] * b.u8[4*$(INDEX)+k]), 4294967295)
//! expect saturated[200..300]
//!+   = clamp(c[n] + sum(k, 0, 4, a[4*n+k] * b.u8[4*$(INDEX)+k]), -2147483648, 2147483647)
//! expect saturated[300..400]
//!+   = clamp(c[n] + sum(k, 0, 4, a.u8[4*n+k] * b[4*$(INDEX)+k]), -2147483648, 2147483647)
//! expect saturated[400..500]
//!+   = clamp(c[n] + sum(k, 0, 4, a[4*n+k] * b[4*$(INDEX)+k]), -2147483648, 2147483647)
//! expect saturated.u32[500..600]
//!+   = min(c.u32[n] + sum(k, 0, 4, a.u8[4*n+k] * b.u8[4*$(INDEX)+k]), 4294967295)
//! expect saturated[600..700]
//!+   = clamp(c[n] + sum(k, 0, 4, a[4*n+k] * b.u8[4*$(INDEX)+k]), -2147483648, 2147483647)
#extension GL_EXT_integer_dot_product : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 100) in;
layout(binding = 0) readonly buffer A { i8vec4 a[]; };
layout(binding = 1) readonly buffer B { i8vec4 b[]; };
layout(binding = 2) readonly buffer C { int c[]; };
layout(binding = 3) writeonly buffer Plain { int plain[]; };
layout(binding = 4) writeonly buffer Saturated { int saturated[]; };

void main() {
  uint n = gl_LocalInvocationID.x;
  i8vec4 x = a[n], y = b[INDEX];
  u8vec4 ux = u8vec4(x), uy = u8vec4(y);
  int px = pack32(x), py = pack32(y);
  plain[n] = dotEXT(x, y);
  plain[100 + n] = int(dotEXT(ux, uy));
  plain[200 + n] = dotEXT(x, uy);
  plain[300 + n] = dotEXT(ux, y);
  plain[400 + n] = dotPacked4x8EXT(px, py);
  plain[500 + n] = int(dotPacked4x8EXT(uint(px), uint(py)));
  plain[600 + n] = dotPacked4x8EXT(px, uint(py));
  const int seven = 0x7f7f7f7f;
  plain[700 + n] = dotPacked4x8EXT(px & seven, py);
  plain[800 + n] = int(dotPacked4x8EXT(uint(px & seven), uint(py)));
  plain[900 + n] = dotPacked4x8EXT(px, uint(py & seven));
  plain[1000 + n] = int(dotPacked4x8EXT(uint(px & seven), uint(py & seven)));
  plain[1100 + n] = dotPacked4x8EXT(py, uint(px & 0x0f0f0f0f));
  saturated[n] = dotAccSatEXT(x, y, c[n]);
  saturated[100 + n] = int(dotAccSatEXT(ux, uy, uint(c[n])));
  saturated[200 + n] = dotAccSatEXT(x, uy, c[n]);
  saturated[300 + n] = dotAccSatEXT(ux, y, c[n]);
  saturated[400 + n] = dotPacked4x8AccSatEXT(px, py, c[n]);
  saturated[500 + n] = int(dotPacked4x8AccSatEXT(uint(px), uint(py), uint(c[n])));
  saturated[600 + n] = dotPacked4x8AccSatEXT(px, uint(py), c[n]);
}
