#version 450
// Matrices of 8-bit floats from others and back: exact where they widen; to nearest even where they
// narrow, with what is too large as NaN or infinite, or the largest number if the shader saturates.
//! each FORMAT G LARGEST = e4m3 floate4m3_t 448.0 | e5m2 floate5m2_t 57344.0
//! each OTHER GO KIND USE LOW HIGH = f16 float16_t 0 A -65504.0 65504.0 | bf16 bfloat16_t 0 B -1e30 1e30
//!+  | f32 float 0 Accumulator -1e30 1e30 | s8 int8_t 1 Accumulator -128 127 | u8 uint8_t 1 A 0 255
//!+  | s16 int16_t 1 B -32768 32767 | u16 uint16_t 1 Accumulator 0 65535 | s32 int 1 A -2147483648 2147483647
//!+  | u32 uint 1 Accumulator 0 4294967295
//! require cooperativeMatrix shaderFloat8CooperativeMatrix shaderFloat16 shaderInt8 shaderInt16
//! require shaderBFloat16CooperativeMatrix storageBuffer16BitAccess storageBuffer8BitAccess
//! subgroup 32 full
//! buffer codes $(FORMAT)[256] binding 0
//! fill codes.u8 = i
//! buffer others $(OTHER)[256] binding 1 = i < 16 ? (i % 2 == 0 ? $(LOW) : $(HIGH))
//!+  : clamp(random(-2.0, 2.0, 1) * exp2(random(-18, i % 2 == 0 ? 8 : 16, 2)), $(LOW), $(HIGH))
//! buffer widened $(OTHER)[256] binding 2
//! buffer narrowed $(FORMAT)[256] binding 3
//! buffer saturated $(FORMAT)[256] binding 4
//! dispatch 1
//! expect widened = $(KIND) == 0 ? codes[i] : isnan(codes[i]) ? 0 : trunc(clamp(codes[i], $(LOW), $(HIGH)))
//! expect narrowed = others[i]
//! expect saturated = clamp(others[i], -$(LARGEST), $(LARGEST))
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_bfloat16 : require
#extension GL_EXT_float_e4m3 : require
#extension GL_EXT_float_e5m2 : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Codes { G codes[]; };
layout(binding = 1) readonly buffer Others { GO others[]; };
layout(binding = 2) writeonly buffer Widened { GO widened[]; };
layout(binding = 3) writeonly buffer Narrowed { G narrowed[]; };
layout(binding = 4) writeonly buffer Saturated { G saturated[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor;
#define MATRIX coopmat<G, gl_ScopeSubgroup, 16, 16, gl_MatrixUse$(USE)>
#define OTHERS coopmat<GO, gl_ScopeSubgroup, 16, 16, gl_MatrixUse$(USE)>

void main() {
  MATRIX m;
  coopMatLoad(m, codes, 0, 16, row);
  coopMatStore(OTHERS(m), widened, 0, 16, row);
  OTHERS o;
  coopMatLoad(o, others, 0, 16, row);
  coopMatStore(MATRIX(o), narrowed, 0, 16, row);
  saturatedConvertEXT(m, o);
  coopMatStore(m, saturated, 0, 16, row);
}
