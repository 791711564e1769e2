#version 450
// A loop to the length of a runtime array, and not to the element before it. The array starts behind
// other members.
//! debug
//! each BUG = 1 | 0
//! setting check memory
//! buffer list u32[20] binding 0 = i
//! buffer results u32[1] binding 1
//! dispatch 1
//! finding memory buffer-bounds times $(BUG) "load"
//! expect results = sum(k, 4, 20, k)
layout(local_size_x = 1) in;
layout(binding = 0) readonly buffer List { uvec4 head; uint items[]; };
layout(binding = 1) writeonly buffer Results { uint result; };

void main() {
  uint total = 0;
#if BUG
  for (uint k = 0; k <= items.length(); ++k)
#else
  for (uint k = 0; k < items.length(); ++k)
#endif
    total += items[k];  // finding
  result = total;
}
