#version 450
// A sum in half precision leaves its range; the twin adds in f32 and scales before it converts.
//! debug
//! each BUG = 1 | 0
//! setting check float
//! require shaderFloat16 storageBuffer16BitAccess
//! buffer data f16[64] binding 0 = 2048
//! buffer results f16[1] binding 1 scratch
//! dispatch 1
//! finding float infinity times $(BUG)
//! check $(BUG) || @results[0] == 2048
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
layout(local_size_x = 1) in;
layout(binding = 0) readonly buffer Data { float16_t data[]; };
layout(binding = 1) writeonly buffer Results { float16_t result; };
#if BUG
#define SUM float16_t
#else
#define SUM float
#endif
void main() {
  SUM sum = SUM(0.0);
  for (uint k = 0; k < 64; ++k) sum += SUM(data[k]);  // finding
  SUM mean = sum / SUM(64.0);
  result = float16_t(mean);
}
