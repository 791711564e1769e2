#version 450
// Float operations at one address, by many workgroups; sums of whole numbers are exact in any
// order. The old values are used, or not.
//! each TYPE = f32 | f64
//! each LIVE CONDITION = all (i>=0) | divergent (i%5<3)
//! require shaderFloat64 shaderBufferFloat32Atomics shaderBufferFloat64Atomics
//! require shaderBufferFloat32AtomicAdd shaderBufferFloat64AtomicAdd
//! require shaderBufferFloat32AtomicMinMax shaderBufferFloat64AtomicMinMax
//! buffer data $(TYPE)[500] binding 0 = random(-1000, 1000, 1)
//! buffer results $(TYPE)[5] binding 1 = { 0.5, 0, 0, 8, 1 }
//! buffer seen $(TYPE)[1000] binding 2 = 0
//! dispatch 5
//! expect results[0] = 0.5 + sum(i, 0, 500, $(CONDITION) ? data[i] : 0)
//! expect results[1] = least(i, 0, 500, $(CONDITION) ? data[i] : 0)
//! expect results[2] = greatest(i, 0, 500, $(CONDITION) ? data[i] : 0)
//! expect results[3] = 8 + sum(i, 0, 500, $(CONDITION) ? 0.5 : 0)
//! expect results[4] = @results[4]
//! expect seen = @seen[i]
// All old values of a counter are different.
//! check sum(i, 0, 500, @seen[i]) == sum(k, 0, (@results[3] - 8) * 2, 8 + k * 0.5)
// What has been exchanged is seen once, but for the last.
//! check sum(i, 0, 500, @seen[500 + i]) + @results[4] == 1 + sum(i, 0, 500, $(CONDITION) ? i : 0)
#extension GL_EXT_shader_atomic_float : require
#extension GL_EXT_shader_atomic_float2 : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 100) in;
#define f32 float32_t
#define f64 float64_t
layout(binding = 0) readonly buffer Data { TYPE data[]; };
layout(binding = 1) buffer Results { TYPE results[]; };
layout(binding = 2) writeonly buffer Seen { TYPE seen[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  TYPE value = data[i];
  if (CONDITION) {
    atomicAdd(results[0], value);
    atomicMin(results[1], value);
    atomicMax(results[2], value);
    seen[i] = atomicAdd(results[3], TYPE(0.5));
    seen[500 + i] = atomicExchange(results[4], TYPE(i));
  }
}
