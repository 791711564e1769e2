#version 450
// Specialization constants of every kind, given and defaulted, and operations on them.
//! require shaderFloat64 shaderInt64
//! buffer results f64[8] binding 0
//! spec 1 = s32 -7
//! spec 2 = f32 2.5
//! spec 3 = u32 1
//! spec 5 = f64 1e100
//! spec 6 = s64 -5000000000
//! dispatch 1
//! expect results = { -7, 2.5, 1, 44, 1e100, -5000000000, -14, 9 }
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 1) in;
layout(constant_id = 1) const int kInt = 3;
layout(constant_id = 2) const float kFloat = 1.0;
layout(constant_id = 3) const bool kBool = false;
layout(constant_id = 4) const uint kDefault = 44;
layout(constant_id = 5) const double kDouble = 0;
layout(constant_id = 6) const int64_t kWide = 1;
const int kTwice = kInt * 2;
const uint kChosen = kBool ? kDefault / 5u + 1u : 0u;
layout(binding = 0) writeonly buffer Results { double results[]; };

void main() {
  results[0] = kInt;
  results[1] = kFloat;
  results[2] = kBool ? 1 : 0;
  results[3] = kDefault;
  results[4] = kDouble;
  results[5] = double(kWide);
  results[6] = kTwice;
  results[7] = kChosen;
}
