#version 450
// From one 8-bit format to the other: e5m2 has more range, e4m3 more precision.
//! each FROM TO GF GT = e4m3 e5m2 floate4m3_t floate5m2_t | e5m2 e4m3 floate5m2_t floate4m3_t
//! require shaderFloat8 storageBuffer8BitAccess
//! buffer codes $(FROM)[256] binding 0
//! fill codes.u8 = i
//! buffer result $(TO)[256] binding 1
//! dispatch 4
//! expect result = codes[i]
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_float_e4m3 : require
#extension GL_EXT_float_e5m2 : require
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Codes { GF codes[]; };
layout(binding = 1) writeonly buffer Result { GT result[]; };

void main() { result[gl_GlobalInvocationID.x] = GT(codes[gl_GlobalInvocationID.x]); }
