#version 450
// Float operations at addresses that differ between invocations, in buffers and in shared memory.
//! each TYPE = f16 | f32 | f64
//! each MEMORY = BUFFER | WORKGROUP
//! each PLACE INDEX = one 6 | own (i%13)
//! require shaderFloat64 shaderFloat16 storageBuffer16BitAccess
//! require shaderBufferFloat32AtomicAdd shaderBufferFloat64AtomicAdd
//! require shaderBufferFloat32AtomicMinMax shaderBufferFloat64AtomicMinMax
//! require shaderBufferFloat16AtomicAdd shaderBufferFloat16AtomicMinMax
//! require shaderSharedFloat32AtomicAdd shaderSharedFloat64AtomicAdd
//! require shaderSharedFloat32AtomicMinMax shaderSharedFloat64AtomicMinMax
//! require shaderSharedFloat16AtomicAdd shaderSharedFloat16AtomicMinMax
//! buffer data $(TYPE)[200] binding 0 = random(-10, 10, 1)
//! buffer results $(TYPE)[39] binding 1 = 5
//! dispatch 1
//! expect results[0..13] = 5 + sum(i, 0, 200, $(INDEX) == n && i != 50 ? data[i] : 0)
//! expect results[13..26] = least(i, 0, 200, $(INDEX) == n && i != 50 ? data[i] : 5)
//! expect results[26..39] = greatest(i, 0, 200, $(INDEX) == n && i != 50 ? max(5, data[i]) : 5)
#extension GL_EXT_shader_atomic_float : require
#extension GL_EXT_shader_atomic_float2 : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 200) in;
#define f16 float16_t
#define f32 float32_t
#define f64 float64_t
layout(binding = 0) readonly buffer Data { TYPE data[]; };
layout(binding = 1) buffer Results { TYPE results[]; };
shared TYPE stage[39];
#define BUFFER 0
#define WORKGROUP 1
#if MEMORY == BUFFER
#define TARGET(k) results[k]
#else
#define TARGET(k) stage[k]
#endif

void main() {
  uint i = gl_LocalInvocationID.x;
  if (i < 39) stage[i] = TYPE(5);
  barrier();
  TYPE value = data[i];
  uint k = INDEX;
  if (i != 50) {
    atomicAdd(TARGET(k), value);
    atomicMin(TARGET(13 + k), value);
    atomicMax(TARGET(26 + k), value);
  }
  barrier();
  if (MEMORY == WORKGROUP && i < 39) results[i] = stage[i];
}
