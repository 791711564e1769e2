#version 450
// OpFConvert between f16, f32 and f64 rounds to nearest even; what is too large becomes infinite.
//! require shaderFloat16 shaderFloat64 storageBuffer16BitAccess
//! buffer data f64[128] binding 0 = i == 0 ? 65519.0 : i == 1 ? 65521.0 : i == 2 ? 1e39 : i == 3 ? 2049.0 : i == 4 ? 2051.0 : random(-1000.0, 1000.0, 1)
//! buffer narrow f32[128] binding 1
//! buffer half f16[128] binding 2
//! buffer wide f64[128] binding 3
//! dispatch 2
//! expect narrow = data[i]
//! expect half = f32(data[i])
//! expect wide = f16(f32(data[i]))
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Data { double data[]; };
layout(binding = 1) writeonly buffer Narrow { float narrow[]; };
layout(binding = 2) writeonly buffer Half { float16_t half_[]; };
layout(binding = 3) writeonly buffer Wide { double wide[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  float f = float(data[i]);
  narrow[i] = f;
  half_[i] = float16_t(f);
  wide[i] = double(float16_t(f));
}
