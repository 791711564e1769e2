#version 450
// A matrix with floats of 16 bits that is loaded, and stored only after another one and after what
// invocations write each for itself, keeps its bits, those of signalling NaNs and subnormals too.
// What they write with bounds has branches in the code of machines without scatters, between the
// load and the store. Infinity is 32640 or 31744.
//! each TYPE T FEATURE INFINITY = bf16 bfloat16_t shaderBFloat16CooperativeMatrix 32640
//!+  | f16 float16_t shaderFloat16 31744
//! each SIZE R C = 16x16 16 16 | 24x8 24 8 | 8x40 8 40
//! each ACCESS DIRECTIVE = plain debug | robust robust
//! require cooperativeMatrix $(FEATURE) storageBuffer16BitAccess
//! require matrix_type $(R) $(C) A $(TYPE)
//! require matrix_type 8 8 B $(TYPE)
//! $(DIRECTIVE)
//! define N=($(R)*$(C))
//! buffer data u16[$(R) * $(C) + 64] binding 0 =
//!+  i % 2 * 32768 + (i % 3 == 0 ? i % 127 + 1 : $(INFINITY) + i * 5 % 127 + 1)
//! buffer strides u32[2] binding 1 = { $(R), 8 }
//! buffer small u16[64] binding 2
//! buffer own u32[32] binding 4
//! buffer large u16[$(R) * $(C)] binding 3
//! subgroup 32 full
//! dispatch 1
//! expect small = data[$(R) * $(C) + i % 8 * 8 + i / 8]
//! expect own = i * 25 % 32
//! expect large = data[i % $(C) * $(R) + i / $(C)]
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_bfloat16 : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Data { uint16_t data[]; };
layout(binding = 1) readonly buffer Strides { uint strides[2]; };
layout(binding = 2) writeonly buffer Small { uint16_t small[]; };
layout(binding = 3) writeonly buffer Large { uint16_t large[]; };
layout(binding = 4) writeonly buffer Own { uint own[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor, column = gl_CooperativeMatrixLayoutColumnMajor;

void main() {
  coopmat<T, gl_ScopeSubgroup, R, C, gl_MatrixUseA> a;
  coopmat<T, gl_ScopeSubgroup, 8, 8, gl_MatrixUseB> b;
  coopMatLoad(a, data, 0, strides[0], column);
  coopMatLoad(b, data, N, strides[1], column);
  coopMatStore(b, small, 0, strides[1], row);
  own[gl_LocalInvocationIndex * (strides[1] + 1) % 32] = gl_LocalInvocationIndex;
  coopMatStore(a, large, 0, C, row);
}
