#version 450
// A Workgroup array whose size is a specialization constant, and a constant index that the default
// size has room for. After GPU-assisted validation's SpecConstantArraySize.
//! debug
//! each BUG SIZE = 1 3 | 0 4
//! setting check memory
//! buffer results u32[1] binding 0
//! spec 0 = u32 $(SIZE)
//! dispatch 1
//! finding memory variable-bounds times $(BUG) "store"
//! expect results = 5
layout(local_size_x = 1) in;
layout(constant_id = 0) const uint size = 4;
layout(binding = 0) writeonly buffer Results { uint result; };
shared uint staged[size];

void main() {
  staged[2] = 5;
  staged[3] = 1;  // finding
  result = staged[2];
}
