#version 450
// Neighbours store vectors that lie evenly in rows of two and of four lanes, with gaps that whole
// registers fit into.
//! each TYPE KIND COUNT = vec4 f32 4 | vec2 f32 2 | uint u32 1 | dvec2 f64 2 | u16vec4 u16 4
//! each BETWEEN = 4 | 6 | 16
//! require shaderFloat64 shaderInt16 storageBuffer16BitAccess
//! buffer rows $(KIND)[64 * $(BETWEEN) * $(COUNT)] binding 0 = 1
//! buffer fours $(KIND)[64 * $(BETWEEN) * $(COUNT)] binding 1 = 1
//! dispatch 1
//! expect rows = i / $(COUNT) % $(BETWEEN) == 1 - i / $(COUNT) / $(BETWEEN) % 2 ? i / $(COUNT) / $(BETWEEN) : 1
//! expect fours = i / $(COUNT) % $(BETWEEN) == 3 - i / $(COUNT) / $(BETWEEN) % 4 ? i / $(COUNT) / $(BETWEEN) : 1
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 64) in;
layout(binding = 0) writeonly buffer Rows { TYPE rows[]; };
layout(binding = 1) writeonly buffer Fours { TYPE fours[]; };

void main() {
  const uint me = gl_LocalInvocationIndex;
  rows[me * BETWEEN + 1 - me % 2] = TYPE(me);
  fours[me * BETWEEN + 3 - me % 4] = TYPE(me);
}
