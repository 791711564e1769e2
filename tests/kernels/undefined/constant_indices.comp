#version 450
// Constants that lead past the end of what they index are valid in code that is not reached.
//! each PLACE = array | vector | matrix | built_in | built_in_array
//! spec 1 = u32 9
//! buffer results u32[64] binding 0 = i
//! buffer ends u32[64] binding 1
//! dispatch 1
//! expect results = i
//! expect ends = i + 1
layout(local_size_x = 64) in;
layout(constant_id = 1) const uint far = 0;
layout(binding = 0) buffer Results { uint results[64]; };
layout(binding = 1) buffer Ends { uint ends[64]; };
#define array 1
#define vector 2
#define matrix 3
#define built_in 4
#define built_in_array 5
void main() {
  const uint i = gl_LocalInvocationID.x;
  if (results[i] > 100) {
#if PLACE == array
    uint values[4] = uint[4](i, i, i, i + 1);
    values[far] = 7;
    results[i] = values[far] + results[far * 100];
#elif PLACE == vector
    uvec4 values = uvec4(i);
    values[far] = 7;
    results[i] = values[far];
#elif PLACE == matrix
    mat3 values = mat3(float(i));
    values[far][far] = 7;
    results[i] = uint(values[far][far]);
#elif PLACE == built_in
    results[i] = gl_GlobalInvocationID[far];
#else
    results[i] = gl_WorkGroupSize[far];
#endif
  }
  ends[i] = i + 1;
}
