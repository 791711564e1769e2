#version 450
// Functions of elements, reductions, conversions and transposes by the names of either extension.
//! each NAMES FEATURES EXTENSION = NV cooperativeMatrixPerElementOperations GL_NV_cooperative_matrix2
//!+  | EXT VK_EXT_cooperative_matrix_maintenance1 GL_EXT_cooperative_matrix_maintenance1
//! require cooperativeMatrixReductions cooperativeMatrixConversions $(FEATURES)
//! require matrix 16 16 16 f32 f32 f32 f32
//! define NAMES_$(NAMES)
//! subgroup 32 full
//! buffer data f32[256] binding 0 = random(0, 40, 1)
//! buffer results f32[1024] binding 1
//! dispatch 1
//! expect results[0..256] = data[n] + n / 16 * 100 + n % 16
//! expect results[256..512] = sum(k, 0, 16, data[n / 16 * 16 + k])
//! expect results[512..768] = data[n]
//! expect results[768..1024] = data[n % 16 * 16 + n / 16]
#extension GL_KHR_cooperative_matrix : require
#extension $(EXTENSION) : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Data { float data[]; };
layout(binding = 1) writeonly buffer Results { float results[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor;
#define MATRIX(U) coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUse##U>
float f(const in uint32_t r, const in uint32_t c, const in float x) {
  return x + float(r) * 100 + float(c);
}
float add(const in float x, const in float y) { return x + y; }

void main() {
  MATRIX(Accumulator) m, x;
  coopMatLoad(m, data, 0, 16, row);
#ifdef NAMES_NV
  coopMatPerElementNV(x, m, f);
#else
  coopMatPerElementEXT(x, m, f);
#endif
  coopMatStore(x, results, 0, 16, row);
#ifdef NAMES_NV
  coopMatReduceNV(x, m, gl_CooperativeMatrixReduceRowNV, add);
#else
  coopMatReduceEXT(x, m, gl_CooperativeMatrixReduceRowEXT, add);
#endif
  coopMatStore(x, results, 256, 16, row);
  MATRIX(A) a = MATRIX(A)(m);
  coopMatStore(a, results, 512, 16, row);
  MATRIX(B) b;
#ifdef NAMES_NV
  coopMatTransposeNV(b, m);
#else
  coopMatTransposeEXT(b, m);
#endif
  coopMatStore(b, results, 768, 16, row);
}
