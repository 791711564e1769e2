#version 450
// PhysicalStorageBuffer: addresses from push constants and from memory, arithmetic on them.
//! require bufferDeviceAddress shaderInt64
//! buffer data f32[64] = random(-9, 9, 1)
//! buffer results f32[128]
//! buffer pointers u64[2] = { &data, &results }
//! push u64 &data, u64 &results, u64 &pointers
//! dispatch 1
//! expect results[0..64] = data[n] * 2
//! expect results[64..128] = data[63 - n] + 1
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 64) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Floats { float value; };
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Pointers {
  uint64_t data;
  Floats results;
};
layout(push_constant) uniform Push {
  Floats data;
  Floats results;
  Pointers pointers;
};

void main() {
  uint i = gl_GlobalInvocationID.x;
  results[i].value = data[i].value * 2;
  Floats other = Floats(pointers.data + 4 * (63 - i));
  pointers.results[64 + i].value = other.value + 1;
}
