#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_scalar_block_layout : require
// Vectors, matrices and structures at places that a buffer says: what an invocation has lies side by side, so it
// comes and goes as words.
//! require shaderFloat16 shaderInt8 shaderFloat64 storageBuffer16BitAccess storageBuffer8BitAccess scalarBlockLayout
//! each TYPE BUFFER C WORDS = u8vec2 u8 2 1 | u8vec4 u8 4 1 | f16vec2 f16 2 1 | f16vec4 f16 4 1 | vec2 f32 2 1
//!+ | uvec3 u32 3 3 | vec4 f32 4 2 | dvec2 f64 2 2 | mat4 f32 16 8 | Pair u32 2 1
//! each FORM FACTOR KEPT = load 37 1 | store 223 1 | guarded 37 3
//! buffer place u32[250] binding 0 = i * 37 % 250
//! buffer source $(BUFFER)[250 * $(C)] binding 1 = i % 199
//! buffer result $(BUFFER)[250 * $(C)] binding 2 = 3
//! push u32 250
//! subgroup 32
//! remarks "gather" $(WORDS) "scatter" $(WORDS)
//! dispatch 4
//! expect result = $(KEPT) == 3 && i / $(C) % 3 == 0 ? 3 : (i / $(C) * $(FACTOR) % 250 * $(C) + i % $(C)) % 199
layout(local_size_x = 64) in;
struct Pair { uint a, b; };
layout(binding = 0) readonly buffer Place { uint place[]; };
layout(scalar, binding = 1) readonly buffer From { $(TYPE) source[]; };
layout(scalar, binding = 2) writeonly buffer To { $(TYPE) result[]; };
layout(push_constant) uniform Push { uint count; };
#define load_ 1
#define store_ 2
#define guarded_ 3
void main() {
  const uint i = gl_GlobalInvocationID.x;
  if (i >= count) return;
#if $(FORM)_ == load_
  result[i] = source[place[i]];
#elif $(FORM)_ == store_
  result[place[i]] = source[i];
#else
  if (i % 3 != 0) result[i] = source[place[i]];
#endif
}
