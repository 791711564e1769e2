#version 450
// Every second, third or fourth element, or pair of elements, in the rows of a workgroup that are shorter than a
// subgroup: each row is loaded whole, but for what is in between and behind the last one.
//! require shaderFloat64
//! each X Y = 16 16 | 8 8 | 16 4
//! each STEP = 2 | 3 | 4
//! each TYPE BUFFER W = float f32 1 | uint u32 1 | vec2 f32 2 | double f64 1
//! each FORM LIMIT = plain 64 | guarded 50 | shared 64
//! buffer source $(BUFFER)[64 * 64 * $(STEP) * $(W)] binding 0 = i % 1021
//! buffer read $(BUFFER)[64 * 64 * $(W)] binding 1 = 5
//! push u32 $(LIMIT)
//! subgroup 32
//! remarks "gather" 0 "scatter" 0
//! dispatch 64/$(X) 64/$(Y)
//! expect read = i / $(W) % 64 < $(LIMIT) ? (i / $(W) * $(STEP) * $(W) + i % $(W)) % 1021 : 5
layout(local_size_x = $(X), local_size_y = $(Y)) in;
layout(binding = 0) readonly buffer From { $(TYPE) source[]; };
layout(binding = 1) writeonly buffer To { $(TYPE) result[]; };
layout(push_constant) uniform Push { uint limit; };
#define plain_ 1
#define guarded_ 2
#define shared_ 3
const uint kPitch = $(X) * $(STEP) + 1;
shared $(TYPE) tile[$(Y) * kPitch];
void main() {
  const uint x = gl_GlobalInvocationID.x, y = gl_GlobalInvocationID.y;
#if $(FORM)_ == plain_
  result[y * 64 + x] = source[(y * 64 + x) * $(STEP)];
#elif $(FORM)_ == guarded_
  if (x < limit) result[y * 64 + x] = source[(y * 64 + x) * $(STEP)];
#else
  const uvec2 first = gl_WorkGroupID.xy * gl_WorkGroupSize.xy;
  for (uint k = 0; k < $(STEP); ++k) {
    const uint column = gl_LocalInvocationID.x + k * $(X);
    tile[gl_LocalInvocationID.y * kPitch + column] =
        source[((first.y + gl_LocalInvocationID.y) * 64 + first.x) * $(STEP) + column];
  }
  barrier();
  result[y * 64 + x] = tile[gl_LocalInvocationID.y * kPitch + gl_LocalInvocationID.x * $(STEP)];
#endif
}
