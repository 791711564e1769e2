#version 450
#extension GL_KHR_shader_subgroup_basic : require
// Loops that each invocation leaves when its own elements are done: of no turns, of some for all, with more turns for
// the first ones. Counters may start anywhere, a multiple of the subgroup's size below where numbers wrap around.
//! each FORM = for | while | do | down | less_equal | reversed | continue | guarded | two_limits | nested
//!+ | some
//! each INT SUFFIX LETTER FIRST = uint u u 0 | int x s 0 | uint u u 4294966272 | int x s -512
//! each COUNT = 0 | 5 | 32 | 100 | 992
//! each GROUP = 64 | 24 | 96
//! buffer source u32[1024] binding 0 = 1
//! buffer turns u32[$(GROUP)] binding 1
//! push $(LETTER)32 $(COUNT), $(LETTER)32 $(FIRST)
//! subgroup 32
//! remarks "gather" 0 "scatter" 0 "masked-loop" 0
//! dispatch 1
//! expect turns = ($(COUNT) + 31 - i % 32) / 32
layout(local_size_x = $(GROUP)) in;
layout(binding = 0) readonly buffer From { uint source[]; };
layout(binding = 1) buffer To { uint turns[]; };
layout(push_constant) uniform Push { INT count, first; };
#define for_ 1
#define while_ 2
#define do_ 3
#define down_ 4
#define less_equal_ 5
#define reversed_ 6
#define continue_ 7
#define guarded_ 8
#define two_limits_ 9
#define nested_ 10
#define some_ 11
void main() {
  const INT lane = INT(gl_SubgroupInvocationID), end = first + count;
  uint sum = 0;
#if $(FORM)_ == for_
  for (INT k = first + lane; k < end; k += 32) sum += source[k - first];
#elif $(FORM)_ == while_
  INT k = first + lane;
  while (end > k) {
    sum = sum + source[k - first];
    k = k + 32;
  }
#elif $(FORM)_ == do_
  INT k = first + lane;
  if (k < end) {
    do {
      sum += source[k - first];
      k += 32;
    } while (k < end);
  }
#elif $(FORM)_ == down_
  for (INT left = count; left > lane; left -= min(left, 32)) sum += source[count - left];
#elif $(FORM)_ == less_equal_
  if (count > 0)
    for (INT k = first + lane; k <= end - 1; k += 32) sum += source[k - first];
#elif $(FORM)_ == reversed_
  for (INT k = 0; !(k + lane >= count); k += 32) sum += source[k + lane];
#elif $(FORM)_ == continue_
  for (INT k = first + lane; k < end; k += 32) {
    if (source[k - first] == 0) continue;
    sum += source[k - first];
  }
#elif $(FORM)_ == guarded_
  for (INT k = first + lane; k < end; k += 32)
    if (source[k - first] != 0) sum += source[k - first];
#elif $(FORM)_ == two_limits_
  for (INT k = lane; k < count && k < count + 1; k += 32) sum += source[k];
#elif $(FORM)_ == nested_
  for (INT row = 0; row < 2; ++row)
    for (INT k = first + lane; k < end; k += 32) sum += row == 0 ? source[k - first] : 0;
#else
  // For the invocations of a condition only.
  if (lane < 20) {
    for (INT k = first + lane; k < end; k += 32) sum += source[k - first];
  } else {
    for (INT k = lane; k < count; k += 32) sum += source[k];
  }
#endif
  turns[gl_LocalInvocationIndex] = sum;
}
