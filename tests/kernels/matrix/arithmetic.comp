#version 450
// Component-wise +, -, *, /, negation, and products with a scalar.
//! each NAME TYPE G FEATURE = f16 f16 float16_t shaderFloat16 | f32 f32 float cooperativeMatrix
//!+  | s32 s32 int shaderInt8 | u32 u32 uint shaderInt8
//! require cooperativeMatrix $(FEATURE) storageBuffer16BitAccess
//! subgroup 32 full
//! buffer a $(TYPE)[256] binding 0 = random(1, 40, 1)
//! buffer b $(TYPE)[256] binding 1 = random(1, 7, 2)
//! buffer results $(TYPE)[1536] binding 2
//! dispatch 1
//! expect results[0..256] = a[n] + b[n]
//! expect results[256..512] = a[n] - b[n]
//! expect results[512..768] = -a[n]
//! expect results[768..1024] = a[n] * 3
//! expect results[1024..1280] = a[n] / b[n] within 2.5 ulp
//! expect results[1280..1536] = a[n] * b[n]
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_bfloat16 : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer ABuffer { G a[]; };
layout(binding = 1) readonly buffer BBuffer { G b[]; };
layout(binding = 2) writeonly buffer Results { G results[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor, column = gl_CooperativeMatrixLayoutColumnMajor;
#define MATRIX coopmat<G, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>

void main() {
  MATRIX x, y;
  coopMatLoad(x, a, 0, 16, row);
  coopMatLoad(y, b, 0, 16, row);
  coopMatStore(x + y, results, 0, 16, row);
  coopMatStore(x - y, results, 256, 16, row);
  coopMatStore(-x, results, 512, 16, row);
  coopMatStore(x * G(3), results, 768, 16, row);
  coopMatStore(x / y, results, 1024, 16, row);
  coopMatStore(x * y, results, 1280, 16, row);
}
