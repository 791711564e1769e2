#version 450
// debugPrintfEXT of an array, which GLSL compilers take like any type.
//! buffer data u32[4] binding 0
//! refuse "printf_array.comp:10.*an argument that is no scalar, vector or matrix of numbers"
//! debug
#extension GL_EXT_debug_printf : require
layout(local_size_x = 1) in;
layout(binding = 0) buffer Data { uint words[4]; };

void main() { debugPrintfEXT("%d", words); }
