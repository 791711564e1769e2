#version 450
// A stack in Private memory from which one more is taken than there is.
//! debug
//! each BUG = 1 | 0
//! setting check memory
//! buffer results s32[32] binding 0
//! push s32 4 + $(BUG)
//! dispatch 1
//! finding memory variable-bounds times $(BUG) "load"
//! expect results = 4 * i + 6
layout(local_size_x = 32) in;
layout(binding = 0) writeonly buffer Results { int results[]; };
layout(push_constant) uniform Push { int taken; };
int stack[16];
int top = 0;

void push(int value) { stack[top++] = value; }

int pop() {
  --top;
  return stack[top];  // finding
}

void main() {
  for (int k = 0; k < 4; ++k) push(int(gl_GlobalInvocationID.x) + k);
  int total = 0;
  for (int k = 0; k < taken; ++k) total += pop();
  results[gl_GlobalInvocationID.x] = total;
}
