#version 450
// A uniform buffer that ends before the last member of its block. After GPU-assisted validation's
// UniformBufferTooSmall.
//! debug
//! each BUG = 1 | 0
//! setting check memory
//! buffer settings f32[8] binding 0 uniform range ($(BUG) ? 16 : 32) = 1 + i
//! buffer results f32[2] binding 1
//! dispatch 1
//! finding memory buffer-bounds times $(BUG) "load"
//! expect results = i == 0 ? 1 : $(BUG) ? 0 : 5
layout(local_size_x = 1) in;
layout(binding = 0) uniform Settings { float scale; layout(offset = 16) float shift; };
layout(binding = 1) writeonly buffer Results { float results[]; };

void main() {
  results[0] = scale;
  float s = shift;  // finding
  results[1] = s;
}
