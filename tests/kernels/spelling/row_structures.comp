#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_scalar_block_layout : require
// What each invocation has side by side, a short loop over it, in rows of a few invocations that lie apart.
//! require shaderFloat64 scalarBlockLayout
//! each TYPE BUFFER = float f32 | uint u32 | double f64
//! each ROW PITCH = 4 32 | 2 9 | 8 40 | 16 64
//! each STEP = 2 | 3 | 4
//! each FORM LIMIT S = loop 128 0 | signed 128 0 | inline 128 0 | guarded 100 0 | counted 128 0 | shared 128 0 | stores 128 1
//! buffer source $(BUFFER)[2048] binding 0 = i % 1021
//! buffer result $(BUFFER)[2048] binding 1 = 7
//! push u32 $(LIMIT)
//! subgroup 32
//! remarks "gather" 0 "scatter" $(S) except "reference" "checked shapes"
//! dispatch 4
//! expect result = $(S) != 0 ? (i % $(PITCH) < $(ROW) * $(STEP) && i / $(PITCH) * $(ROW) < 128 ? (i / $(PITCH) * $(ROW) * $(STEP) + i % $(PITCH)) % 1021 : 7) : i >= $(LIMIT) ? 7 : (i / $(ROW) * $(PITCH) + i % $(ROW) * $(STEP)) % 1021 + 2 * ((i / $(ROW) * $(PITCH) + i % $(ROW) * $(STEP) + 1) % 1021) + ($(STEP) > 2 ? 3 * ((i / $(ROW) * $(PITCH) + i % $(ROW) * $(STEP) + 2) % 1021) : 0) + ($(STEP) > 3 ? 4 * ((i / $(ROW) * $(PITCH) + i % $(ROW) * $(STEP) + 3) % 1021) : 0)
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer From { $(TYPE) source[]; };
layout(binding = 1) buffer To { $(TYPE) result[]; };
layout(push_constant) uniform Push { uint limit; };
#define loop_ 1
#define signed_ 2
#define inline_ 3
#define guarded_ 4
#define counted_ 5
#define shared_ 6
#define stores_ 7
shared $(TYPE) tile[32 / $(ROW) * $(PITCH)];
void main() {
  const uint i = gl_GlobalInvocationID.x, lane = gl_LocalInvocationID.x;
  $(TYPE) sum = 0;
#if $(FORM)_ == loop_
  const uint row = i / $(ROW), first = row * $(PITCH) + i % $(ROW) * $(STEP);
  for (uint b = 0; b < $(STEP); ++b) sum += source[first + b] * $(TYPE)(b + 1);
  result[i] = sum;
#elif $(FORM)_ == signed_
  const int k = int(i), row = k / $(ROW), column = k % $(ROW);
  for (int b = 0; b < $(STEP); b++) sum += $(TYPE)(b + 1) * source[row * $(PITCH) + column * $(STEP) + b];
  result[k] = sum;
#elif $(FORM)_ == inline_
  sum = source[i / $(ROW) * $(PITCH) + i % $(ROW) * $(STEP)] +
        source[i / $(ROW) * $(PITCH) + i % $(ROW) * $(STEP) + 1] * $(TYPE)(2);
#if $(STEP) > 2
  sum += source[i / $(ROW) * $(PITCH) + (i & ($(ROW) - 1)) * $(STEP) + 2] * $(TYPE)(3);
#endif
#if $(STEP) > 3
  sum += source[i / $(ROW) * $(PITCH) + (i & ($(ROW) - 1)) * $(STEP) + 3] * $(TYPE)(4);
#endif
  result[i] = sum;
#elif $(FORM)_ == guarded_
  if (i < limit) {
    for (uint b = 0; b < $(STEP); ++b)
      sum += source[i / $(ROW) * $(PITCH) + i % $(ROW) * $(STEP) + b] * $(TYPE)(b + 1);
    result[i] = sum;
  }
#elif $(FORM)_ == counted_
  for (uint k = lane + 32 * gl_WorkGroupID.x; k < limit; k += 128) {
    const uint first = k / $(ROW) * $(PITCH) + k % $(ROW) * $(STEP);
    for (uint b = 0; b < $(STEP); ++b) sum += source[first + b] * $(TYPE)(b + 1);
    result[k] = sum;
  }
#elif $(FORM)_ == shared_
  for (uint k = lane; k < 32 / $(ROW) * $(PITCH); k += 32)
    tile[k] = source[gl_WorkGroupID.x * (32 / $(ROW) * $(PITCH)) + k];
  barrier();
  for (uint b = 0; b < $(STEP); ++b)
    sum += tile[lane / $(ROW) * $(PITCH) + lane % $(ROW) * $(STEP) + b] * $(TYPE)(b + 1);
  result[i] = sum;
#else
  for (uint b = 0; b < $(STEP); ++b)
    result[i / $(ROW) * $(PITCH) + i % $(ROW) * $(STEP) + b] = source[i * $(STEP) + b];
#endif
}
