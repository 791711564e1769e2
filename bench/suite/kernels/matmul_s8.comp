#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_integer_dot_product : require
// A product of matrices of bytes, the second one transposed: four bytes of both at a time.
//! require shaderInt8 storageBuffer8BitAccess shaderIntegerDotProduct
//! each SPELLING INT FORM WIDTH = dot uint 0 4 | int int 0 4 | packed uint 1 4 | multiply uint 2 4
//!+ | bytes uint 3 1
//! buffer a s8[256 * 256] binding 0 = random(-128, 127, 1)
//! buffer b s8[256 * 256] binding 1 = random(-128, 127, 2)
//! buffer c s32[256 * 256] binding 2
//! push u32 256
//! dispatch 16 16
//! peer
layout(local_size_x = 16, local_size_y = 16) in;
#if FORM == 1
#define TYPE int
#elif FORM == 3
#define TYPE int8_t
#else
#define TYPE i8vec4
#endif
layout(binding = 0) readonly buffer A { TYPE a[]; };
layout(binding = 1) readonly buffer B { TYPE b[]; };
layout(binding = 2) writeonly buffer C { int c[]; };
layout(push_constant) uniform Push { uint size; };

void main() {
  const INT n = INT(size), row = INT(gl_GlobalInvocationID.y), column = INT(gl_GlobalInvocationID.x);
  int sum = 0;
  for (INT k = 0; k < n / WIDTH; ++k) {
    const TYPE p = a[row * (n / WIDTH) + k], q = b[column * (n / WIDTH) + k];
#if FORM == 0
    sum += dotEXT(p, q);
#elif FORM == 1
    sum += dotPacked4x8EXT(p, q);
#elif FORM == 2
    const ivec4 products = ivec4(p) * ivec4(q);
    sum += products.x + products.y + products.z + products.w;
#else
    sum += int(p) * int(q);
#endif
  }
  c[row * n + column] = sum;
}
