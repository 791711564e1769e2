#version 450
// Vectors of more than four components, and of one: arithmetic, functions, conversions, constant
// and computed indices, in memory and in function parameters.
//! each COUNT = 1 | 5 | 16 | 67
//! require longVector shaderFloat16 storageBuffer16BitAccess shaderInt16
//! spec 0 = s32 $(COUNT)
//! buffer a f32[$(COUNT)*64] binding 0 = random(-50, 50, 1)
//! buffer b f32[$(COUNT)*64] binding 1 = random(-50, 50, 2)
//! buffer results f32[$(COUNT)*64] binding 2
//! buffer greatest f32[64] binding 3
//! buffer chosen f32[128] binding 4
//! dispatch 1
//! expect results = i % $(COUNT) == (i / $(COUNT)) % $(COUNT) ? 1000 : max(a[i] * 2 + b[i], -10) + 3
//! expect greatest = greatest(k, 0, $(COUNT), a[i * $(COUNT) + k])
//! expect chosen[0..64] = a[n * $(COUNT) + n % $(COUNT)]
//! expect chosen[64..128] = $(COUNT)
#extension GL_EXT_long_vector : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x = 64) in;
layout(constant_id = 0) const int count = 2;
#define Long vector<float, count>
layout(binding = 0, scalar) readonly buffer A { float a[]; };
layout(binding = 1, scalar) readonly buffer B { float b[]; };
layout(binding = 2, scalar) writeonly buffer Results { float results[]; };
layout(binding = 3, scalar) writeonly buffer Greatest { float greatest[]; };
layout(binding = 4, scalar) writeonly buffer Chosen { float chosen[]; };

Long twice(Long v) { return v * 2.0; }

void main() {
  uint n = gl_LocalInvocationID.x;
  Long x, y;
  for (int k = 0; k < count; ++k) {
    x[k] = a[n * count + k];
    y[k] = b[n * count + k];
  }
  Long sum = max(twice(x) + y, Long(-10.0));
  vector<int16_t, count> whole = vector<int16_t, count>(sum);
  Long back = Long(whole) + 3.0;
  back[n % count] = 1000;
  for (int k = 0; k < count; ++k) results[n * count + k] = back[k];
  float most = x[0];
  for (int k = 1; k < count; ++k) most = max(most, x[k]);
  greatest[n] = most;
  chosen[n] = x[n % count];
  chosen[64 + n] = x.length();
}
