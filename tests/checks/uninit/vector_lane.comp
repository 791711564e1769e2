#version 450
// A vector of three is kept in four components, and the twin never looks at the fourth: not though it is
// copied, scaled and moved with the others.
//! debug
//! each BUG = 1 | 0
//! setting check uninit
//! buffer results f32[64] binding 0 scratch
//! dispatch 1
//! finding uninit uninit-store times $(BUG)
//! check $(BUG) || all_bits(k, 0, 64, @results[k] == 28 * k ? -1 : 0) != 0
layout(local_size_x = 64) in;
layout(binding = 0) writeonly buffer Results { float results[]; };
void main() {
  float i = float(gl_LocalInvocationID.x);
  vec4 direction;
  direction.xyz = vec3(1.0, 2.0, 3.0) * i;
  vec4 doubled = direction * 2.0;
  vec4 turned = doubled.wzyx;
#if BUG
  results[gl_LocalInvocationID.x] = dot(turned, vec4(1.0, 3.0, 2.0, 1.0));  // finding
#else
  results[gl_LocalInvocationID.x] = dot(turned.yzw, vec3(3.0, 2.0, 1.0));
#endif
}
