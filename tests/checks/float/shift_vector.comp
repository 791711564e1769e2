#version 450
// Masks of 16 bits, one of them by a shift of 16. After the shift tests of UndefinedBehaviorSanitizer.
//! debug
//! each BUG BITS = 1 16 | 0 15
//! setting check float
//! require shaderInt16 storageBuffer16BitAccess
//! buffer data u16[4] binding 0 = { 0, 7, $(BITS), 15 }
//! buffer results u16[4] binding 1 scratch
//! dispatch 1
//! finding float shift times $(BUG)
//! check @results[0] == 1 && @results[1] == 128 && ($(BUG) || @results[2] == 32768) && @results[3] == 32768
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 1) in;
layout(binding = 0) readonly buffer Data { u16vec4 data; };
layout(binding = 1) writeonly buffer Results { u16vec4 result; };
void main() {
  result = u16vec4(1) << data;  // finding
}
