#version 450
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
// Loops over all of a buffer, whose end no workgroup's invocations reach together, with one scalar or a
// vector for each turn, and an index that is a quotient of a sum.
//! require shaderFloat16 storageBuffer16BitAccess
//! each TYPE SCALAR VEC2 VEC4 = f32 float vec2 vec4 | f16 float16_t f16vec2 f16vec4
//! each WIDTH VECTOR = 1 SCALAR | 2 VEC2 | 4 VEC4
//! each INT LETTER = uint u | int s
//! each FORM = counter | numbered | quotient
//! remarks "gather" 0 "scatter" 0
//! buffer x $(TYPE)[4000] binding 0 = i % 31
//! buffer y $(TYPE)[4000] binding 1 = i % 29
//! push $(LETTER)32 850, $(LETTER)32 2
//! dispatch 2
//! expect y = i < 850 * $(WIDTH) ? i % 29 + 2 * (i % 31) : i % 29
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer From { VECTOR x[]; };
layout(binding = 1) buffer To { VECTOR y[]; };
layout(push_constant) uniform Push { INT count, factor; };
#define counter_ 1
#define numbered_ 2
#define quotient_ 3
void main() {
  const INT lane = INT(gl_GlobalInvocationID.x), all = INT(gl_NumWorkGroups.x) * 64;
#if $(FORM)_ == counter_
  for (INT i = lane; i < count; i += all) y[i] += SCALAR(factor) * x[i];
#elif $(FORM)_ == numbered_
  const INT turns = (count + all - 1) / all;
  for (INT turn = 0; turn < turns; ++turn) {
    const INT i = turn * all + lane;
    if (i < count) y[i] += SCALAR(factor) * x[i];
  }
#else
  for (INT u = 0; u < 4 * count; u += 4 * all) {
    const uint i = uint(u + 4 * lane) / 4;
    if (i < uint(count)) y[i] += SCALAR(factor) * x[i];
  }
#endif
}
