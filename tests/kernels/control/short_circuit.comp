#version 450
// The right operand of && and || is not evaluated for invocations that do not need it.
//! buffer data u32[64] binding 0 = random(0, 5, 1)
//! buffer evaluated u32[64] binding 1 = 0
//! buffer results u32[64] binding 2
//! dispatch 1
//! expect evaluated = (data[i] > 2) + (data[i] < 4) * 10 * (data[i] != 0)
//! expect results = (data[i] > 2 && data[i] < 5) + ((data[i] == 0 || data[i] < 4) ? 2 : 0)
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { uint data[]; };
layout(binding = 1) buffer Evaluated { uint evaluated[]; };
layout(binding = 2) writeonly buffer Results { uint results[]; };

uint i = gl_GlobalInvocationID.x;

bool note(uint amount, bool value) {
  evaluated[i] += amount;
  return value;
}

void main() {
  uint x = data[i];
  uint result = 0;
  if (x > 2 && note(1, x < 5)) result += 1;
  if (x == 0 || x >= 4 ? x == 0 : note(10, true)) result += 2;
  results[i] = result;
}
