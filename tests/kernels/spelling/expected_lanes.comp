#version 450
// Numbers that go on evenly in most subgroups, and in some do not: kept in a range, quotients and
// remainders by what is known at run time, choices, distances. At the edges, and where a row ends, each
// invocation has its own place.
//! each INDEX PLACE = clamp i<5?5:i>990?990:i | minimum i+5>990?990:i+5 | maximum i>500?i:500
//!+ | chosen i<5?5:i | rows i/24*25+i%24 | period i%300 | masked i%256+3 | shifted i/64*66+i%64
//!+ | run_mask i%256+3 | run_shift i/64*66+i%64 | xor i/128*128+(i+64)%128 | or i/512*512+i%512+(i/512%2==0?512:0)
//!+ | distance i<300?300-i:i-300 | far i/3
//! each INT = uint | int
//! each GROUP = 64 | 48
//! buffer source u32[1700] binding 0 = i * 7 + 3
//! buffer read u32[1152] binding 1
//! push u32 5, u32 990, u32 24, u32 300, u32 500, u32 6, u32 256, u32 512
//! subgroup 32
//! remarks "gather" 0 "scatter" 0 "tested" 1
//! dispatch 1152/$(GROUP)
//! expect read = ($(PLACE)) * 7 + 3
layout(local_size_x = $(GROUP)) in;
layout(binding = 0) readonly buffer From { uint source[]; };
layout(binding = 1) writeonly buffer To { uint result[]; };
layout(push_constant) uniform Push { INT low, high, width, length, middle, shift, block, half_of_all; };
#define clamp_ 1
#define minimum_ 2
#define maximum_ 3
#define chosen_ 4
#define rows_ 5
#define period_ 6
#define masked_ 7
#define shifted_ 8
#define distance_ 9
#define far_ 10
#define run_mask_ 11
#define run_shift_ 12
#define xor_ 13
#define or_ 14
void main() {
  const INT at = INT(gl_GlobalInvocationID.x);
#if $(INDEX)_ == clamp_
  const INT place = clamp(at, low, high);
#elif $(INDEX)_ == minimum_
  const INT place = min(at + low, high);
#elif $(INDEX)_ == maximum_
  const INT place = max(middle, at);
#elif $(INDEX)_ == chosen_
  const INT place = mix(at, low, at < low);
#elif $(INDEX)_ == rows_
  const INT row = at / width, place = row * (width + 1) + at % width;
#elif $(INDEX)_ == period_
  const INT place = at % length;
#elif $(INDEX)_ == masked_
  const INT place = (at & 255) + 3;
#elif $(INDEX)_ == shifted_
  const INT place = (at >> 6) * 66 + (at & 63);
#elif $(INDEX)_ == run_mask_
  const INT place = (at & (block - 1)) + 3;
#elif $(INDEX)_ == run_shift_
  const INT place = (at >> shift << shift) + ((at >> shift) << 1) + (at & ((1 << shift) - 1));
#elif $(INDEX)_ == xor_
  const INT place = at ^ (1 << shift);
#elif $(INDEX)_ == or_
  const INT place = at | half_of_all;
#elif $(INDEX)_ == distance_
  const int place = abs(int(at) - int(length));
#else
  const INT place = at / (width / 8);
#endif
  result[gl_GlobalInvocationID.x] = source[place];
}
