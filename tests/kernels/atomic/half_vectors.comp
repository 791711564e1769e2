#version 450
// Vectors of halves: sums, minima and maxima by component, at one address and at many. Exchanged
// vectors stay whole, and every old value of a counter is seen once.
//! each N = 2 | 4
//! each MEMORY = BUFFER | WORKGROUP
//! each PLACE INDEX = one 6 | own (i%13)
//! require shaderFloat16VectorAtomics shaderFloat16 storageBuffer16BitAccess
//! buffer data f16[800] binding 0 = random(-10, 10, 1)
//! buffer results f16[$(N) * 41] binding 1 = i < $(N) * 39 ? 5 : 0
//! buffer seen f16[$(N) * 400] binding 2 = 0
//! dispatch 1
//! expect results[0..$(N)*13] = 5 + sum(i, 0, 200, $(INDEX) == n / $(N) && i != 50
//!+ ? data[i * $(N) + n % $(N)] : 0)
//! expect results[$(N)*13..$(N)*26] = least(i, 0, 200, $(INDEX) == n / $(N) && i != 50
//!+ ? data[i * $(N) + n % $(N)] : 5)
//! expect results[$(N)*26..$(N)*39] = greatest(i, 0, 200, $(INDEX) == n / $(N) && i != 50
//!+ ? max(5, data[i * $(N) + n % $(N)]) : 5)
//! expect results[$(N)*39..$(N)*40] = 199 + n * 199
//! expect results[$(N)*40..$(N)*41] = @results[$(N)*40]
//! expect seen = @seen[i]
//! check product(c, 0, $(N), sum(i, 0, 200, @seen[i * $(N) + c]) == sum(i, 0, 199, i * (c + 1)))
//! check product(i, 0, 200, product(c, 0, $(N), @seen[(200 + i) * $(N) + c] == @seen[(200 + i) * $(N)]))
//! check sum(i, 0, 200, @seen[(200 + i) * $(N)]) + @results[$(N)*40] == sum(i, 0, 200, i == 50 ? 0 : i)
#extension GL_NV_shader_atomic_fp16_vector : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 200) in;
#if N == 2
#define VECTOR f16vec2
const VECTOR step_ = VECTOR(1, 2);
#else
#define VECTOR f16vec4
const VECTOR step_ = VECTOR(1, 2, 3, 4);
#endif
layout(binding = 0) readonly buffer Data { VECTOR data[]; };
layout(binding = 1) buffer Results { VECTOR results[]; };
layout(binding = 2) writeonly buffer Seen { VECTOR seen[]; };
shared VECTOR stage[41];
#define BUFFER 0
#define WORKGROUP 1
#if MEMORY == BUFFER
#define TARGET(k) results[k]
#else
#define TARGET(k) stage[k]
#endif

void main() {
  uint i = gl_LocalInvocationID.x;
  if (i < 41) stage[i] = results[i];
  barrier();
  VECTOR value = data[i];
  uint k = INDEX;
  if (i != 50) {
    atomicAdd(TARGET(k), value);
    atomicMin(TARGET(13 + k), value);
    atomicMax(TARGET(26 + k), value);
    seen[i] = atomicAdd(TARGET(39), step_);
    seen[200 + i] = atomicExchange(TARGET(40), VECTOR(i));
  }
  barrier();
  if (MEMORY == WORKGROUP && i < 41) results[i] = stage[i];
}
