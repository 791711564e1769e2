#version 450
// An index that stops at the edges of a row, in ways to write a choice: operators that look at their second side
// only if need be, `?:`, `if`, functions. Compilers write some of them as branches.
//! each FORM = and | or | nested | if | else | returns | min_max | select
//! each INT = uint | int
//! each GROUP = 64 | 48
//! buffer source u32[1300] binding 0 = i * 7 + 3
//! buffer read u32[1152] binding 1
//! push u32 5, u32 990
//! subgroup 32
//! remarks "gather" 0 "scatter" 0 "tested" 1
//! dispatch 1152/$(GROUP)
//! expect read = (i < 5 ? 5 : i > 990 ? 990 : i) * 7 + 3
layout(local_size_x = $(GROUP)) in;
layout(binding = 0) readonly buffer From { uint source[]; };
layout(binding = 1) writeonly buffer To { uint result[]; };
layout(push_constant) uniform Push { INT low, high; };
#define and_ 1
#define or_ 2
#define nested_ 3
#define if_ 4
#define else_ 5
#define returns_ 6
#define min_max_ 7
#define select_ 8
INT inside(INT at) {
  if (at < low) return low;
  if (at > high) return high;
  return at;
}
void main() {
  const INT at = INT(gl_GlobalInvocationID.x);
#if $(FORM)_ == and_
  INT place = at >= low && at <= high ? at : at < low ? low : high;
#elif $(FORM)_ == or_
  INT place = at < low || at > high ? (at < low ? low : high) : at;
#elif $(FORM)_ == nested_
  INT place = at < low ? low : at > high ? high : at;
#elif $(FORM)_ == if_
  INT place = at;
  if (place < low) place = low;
  if (place > high) place = high;
#elif $(FORM)_ == else_
  INT place;
  if (at < low) {
    place = low;
  } else {
    if (at > high)
      place = high;
    else
      place = at;
  }
#elif $(FORM)_ == returns_
  INT place = inside(at);
#elif $(FORM)_ == min_max_
  INT place = min(max(at, low), high);
#else
  INT place = mix(mix(at, low, at < low), high, at > high);
#endif
  result[gl_GlobalInvocationID.x] = source[place];
}
