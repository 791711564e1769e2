#version 450
// 8-bit floats as what a shader holds: constants, specialization constants and push constants,
// vectors and structures, shared memory and local arrays, functions, selections and loops.
//! each FORMAT G V2 V3 V4 = e4m3 floate4m3_t fe4m3vec2 fe4m3vec3 fe4m3vec4
//!+  | e5m2 floate5m2_t fe5m2vec2 fe5m2vec3 fe5m2vec4
//! each OPT = off | on
//! optimize $(OPT)
//! require shaderFloat8 shaderInt8 storageBuffer8BitAccess uniformAndStorageBuffer8BitAccess
//! require storagePushConstant8
//! buffer codes u8[256] binding 0 = i
//! buffer uniforms $(FORMAT)[256] binding 1 uniform = i
//! buffer structures u8[512] binding 2
//! buffer shared_ u8[64] binding 3
//! buffer chosen f32[64] binding 4
//! buffer constants $(FORMAT)[8] binding 5
//! push $(FORMAT) 1.25, $(FORMAT) -3
//! dispatch 1
//! expect structures = i % 8 == 0 ? 4 * (i / 8) + 3 : i % 8 == 1 ? i / 8 : i % 8 < 4 ? 0xa5
//!+  : 4 * (i / 8) + (3 - i % 4)
//! expect shared_ = codes[63 - i]
//! expect chosen = (i % 3 == 0 ? 1.25 : i % 3 == 1 ? -3 : uniforms[i / 4 * 16 + i % 4]) + (i % 5)
//! expect constants = { 0.5, 2, 1.5, 0, 0, 0, 7, 8 }
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_float_e4m3 : require
#extension GL_EXT_float_e5m2 : require
layout(local_size_x = 64) in;

struct Part {
  G last;
  G index;
  V4 reversed;
};
layout(binding = 0) readonly buffer Codes { G codes[]; };
layout(binding = 0) readonly buffer Vectors { V4 codes4[]; };
layout(binding = 1) uniform Uniforms { V4 uniforms[16]; };
layout(binding = 2) writeonly buffer Structures { Part structures[]; };
layout(binding = 3) writeonly buffer Shared { G shared_[]; };
layout(binding = 4) writeonly buffer Chosen { float chosen[]; };
layout(binding = 5) writeonly buffer Constants { G constants[]; };
layout(push_constant) uniform Push { G first, second; };
shared G staged[64];
const G kHalf = G(0.5);
const V2 kPair = V2(2.0, 1.5);

G pick(uint i, G third) { return i % 3 == 0 ? first : i % 3 == 1 ? second : third; }

void main() {
  uint i = gl_LocalInvocationID.x;
  V4 four = codes4[i];
  structures[i].last = four.w;
  structures[i].index = codes[i];
  structures[i].reversed = four.wzyx;

  staged[i] = codes[i];
  barrier();
  shared_[i] = staged[63 - i];

  G local[5];
  for (int k = 0; k < 5; ++k) local[k] = G(k);
  G value = G(0);
  for (uint k = 0; k <= i % 5; ++k) value = local[k];
  chosen[i] = float(pick(i, uniforms[i / 4][i % 4])) + float(value);

  if (i == 0) {
    V3 zero = V3(0);
    constants[0] = kHalf;
    constants[1] = kPair.x;
    constants[2] = kPair.y;
    constants[3] = zero.x;
    constants[4] = zero.y;
    constants[5] = zero.z;
    constants[6] = G(7);
    constants[7] = G(8);
  }
}
