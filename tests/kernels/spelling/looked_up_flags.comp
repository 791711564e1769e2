#version 450
// Truth values in shared memory that halves of a subgroup look up, each its own: they choose an index.
//! each INT = uint | int
//! each FORM = one | both
//! buffer source u32[192] binding 0 = i
//! buffer chosen u32[64] binding 1
//! push u32 0, u32 64
//! subgroup 32
//! dispatch 1
//! expect chosen = i / 16 % 2 ? i : i + 64
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Source { uint source[]; };
layout(binding = 1) writeonly buffer Chosen { uint chosen[]; };
layout(push_constant) uniform Push { INT zero, limit; };
#define one 0
#define both 1
shared bool flags[64];
void main() {
  const INT i = INT(gl_LocalInvocationID.x);
  flags[i] = i % 2 != 0;
  barrier();
  bool flag = flags[(i + zero) / 16];
#if FORM == both
  flag = i < limit && flag;
#endif
  chosen[i] = source[flag ? i : i + 64];
}
