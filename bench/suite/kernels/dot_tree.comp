#version 450
// Sums of products, one for each 4096 elements, by a tree in shared memory.
//! each SPELLING INT FORM WIDTH = for uint 0 1 | int int 0 1 | while uint 1 1 | vec4 uint 0 4
//! buffer a f32[1 << 20] binding 0 = random(-1.0, 1.0, 1)
//! buffer b f32[1 << 20] binding 1 = random(-1.0, 1.0, 2)
//! buffer sums f32[256] binding 2
//! push u32 4096
//! dispatch 256
//! peer within 2e-4 abs
#if WIDTH == 4
#define TYPE vec4
#define PRODUCT(p, q) dot(p, q)
#else
#define TYPE float
#define PRODUCT(p, q) ((p) * (q))
#endif
layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer A { TYPE a[]; };
layout(binding = 1) readonly buffer B { TYPE b[]; };
layout(binding = 2) writeonly buffer Sums { float sums[]; };
layout(push_constant) uniform Push { uint part; };
shared float partial[256];

void main() {
  const INT lane = INT(gl_LocalInvocationIndex), n = INT(part) / WIDTH;
  const INT first = INT(gl_WorkGroupID.x) * n;
  float sum = 0;
#if FORM == 1
  INT i = first + lane;
  while (i < first + n) {
    sum += PRODUCT(a[i], b[i]);
    i += 256;
  }
#else
  for (INT i = lane; i < n; i += 256) sum += PRODUCT(a[first + i], b[first + i]);
#endif
  partial[lane] = sum;
  barrier();
  for (INT half_size = 128; half_size > 0; half_size /= 2) {
    if (lane < half_size) partial[lane] += partial[lane + half_size];
    barrier();
  }
  if (lane == 0) sums[gl_WorkGroupID.x] = partial[0];
}
