#version 450
// An array at the end of a structure with a member before it, of which there are fewer elements than
// invocations: the index leaves the variable. After Oclgrind's static_array_padded_struct.
//! debug
//! each BUG = 1 | 0
//! setting check memory
//! buffer results s32[4] binding 0 = 9
//! dispatch 1
//! finding memory variable-bounds times $(BUG) "load"
//! expect results = i == 0 ? 42 : i == 1 ? 7 : $(BUG) ? 0 : 9
layout(local_size_x = 4) in;
layout(binding = 0) buffer Results { int results[]; };
struct S { int a; int b[2]; };

void main() {
  uint i = gl_LocalInvocationIndex;
  S s = S(-1, int[](42, 7));
#if !BUG
  if (i < 2)
#endif
    results[i] = s.b[i];  // finding
}
