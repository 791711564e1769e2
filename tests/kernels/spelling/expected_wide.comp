#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
// Rows whose length is no power of two, as expected_stores.comp, with indices of 64 bits: rows of the
// source have an element more.
//! require shaderInt64
//! each TYPE BUFFER = uint u32 | uint64_t u64
//! each INT = uint64_t | int64_t
//! each FORM = parts | limited | masked
//! buffer source $(BUFFER)[1200] binding 0 = i % 251
//! buffer copied u32[1024] binding 1 = 0
//! subgroup 32
//! remarks "gather" 0 "scatter" 0 except "checked shapes"
//! dispatch 8
//! expect copied = (i / 100 * 101 + i % 100) % 251
layout(local_size_x = 128) in;
layout(binding = 0) readonly buffer From { TYPE source[]; };
layout(binding = 1) buffer To { uint copied[]; };
#define parts 0
#define limited 1
#define masked 2
void main() {
  const INT i = INT(gl_GlobalInvocationID.x);
#if FORM == parts
  const INT at = i / INT(100) * INT(101) + i % INT(100);
#elif FORM == limited
  const INT at = min(i, INT(1023)) + max(i, INT(0)) / INT(100);
#else
  const INT at = (i & INT(1023)) - -(i / INT(100));
#endif
  copied[gl_GlobalInvocationID.x] = uint(source[uint(at)]);
}
