#version 450
// With robust access, atomic operations outside of a buffer touch nothing (the runner watches the
// bytes behind each buffer), and those inside are done.
//! each PLACE INDEX = own i | outside (64+i/128) | far (7-8) | inside (i/128)
//! each TYPE = u32 | u64
//! require robustBufferAccess shaderInt64 shaderBufferInt64Atomics shaderBufferFloat32AtomicAdd
//! robust
//! buffer small $(TYPE)[64] binding 0 = 10
//! buffer floats f32[64] binding 1 = 10
//! buffer exchanged $(TYPE)[64] binding 2 = 10
//! buffer loaded u32[1] binding 3 = 0
//! push u32 0
//! dispatch 1
//! expect small = 10 + sum(i, 0, 128, $(INDEX) == n ? 1 : 0)
//! expect floats = 10 + sum(i, 0, 128, $(INDEX) == n ? 1 : 0)
//! expect exchanged = greatest(i, 0, 128, $(INDEX) == n ? 11 : 10)
//! expect loaded = @loaded[i]
#extension GL_EXT_shader_atomic_int64 : require
#extension GL_EXT_shader_atomic_float : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 128) in;
#define u32 uint32_t
#define u64 uint64_t
layout(push_constant) uniform Push { uint offset; };
layout(binding = 0) buffer Small { TYPE small[]; };
layout(binding = 1) buffer Floats { float floats[]; };
layout(binding = 2) buffer Exchanged { TYPE exchanged[]; };
layout(binding = 3) buffer Loaded { uint loaded; };

void main() {
  uint i = gl_LocalInvocationID.x;
  uint k = uint(INDEX) + offset;
  TYPE seen = atomicAdd(small[k], TYPE(1));
  atomicAdd(floats[k], 1);
  seen ^= atomicCompSwap(exchanged[k], TYPE(10), TYPE(11));
  seen ^= atomicExchange(exchanged[k], TYPE(11));
  atomicAdd(loaded, uint(seen));
}
