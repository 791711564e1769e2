#version 450
// debugPrintfEXT of 8-bit floats.
//! require shaderFloat8 storageBuffer8BitAccess
//! buffer numbers e4m3[4] binding 0 = { 1.5, -448, 0.001953125, nan }
//! buffer others e5m2[4] binding 1 = { 1.25, 57344, -inf, 0 }
//! dispatch 1
//! prints "^e4m3 1.5 -448 0.00195312 -?nan$"
//! prints "^e5m2 1.25, 57344, -inf, 0$"
#extension GL_EXT_debug_printf : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_float_e4m3 : require
#extension GL_EXT_float_e5m2 : require
layout(local_size_x = 1) in;
layout(binding = 0) readonly buffer Numbers { floate4m3_t numbers[]; };
layout(binding = 1) readonly buffer Others { fe5m2vec4 others; };

void main() {
  debugPrintfEXT("e4m3 %g %g %g %g", numbers[0], numbers[1], numbers[2], numbers[3]);
  debugPrintfEXT("e5m2 %v4g", others);
}
