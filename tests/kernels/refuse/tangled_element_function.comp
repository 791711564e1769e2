#version 450
// A group operation in what a function of elements calls.
//! each FORM = element | reduction
//! require cooperativeMatrix
//! require cooperativeMatrixReductions cooperativeMatrixPerElementOperations
//! subgroup 32 full
//! buffer data f32[256] binding 0
//! refuse "calls .*for elements of a matrix, so OpGroupNonUniformFAdd .* is not allowed"
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
layout(binding = 0) buffer Data { float data[]; };
#define element 0
#define reduction 1

float share(float x) { return subgroupAdd(x); }
float apply(const in uint32_t r, const in uint32_t c, const in float x) { return share(x); }
float combine(const in float x, const in float y) { return share(x) + y; }

void main() {
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> m;
  coopMatLoad(m, data, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
#if $(FORM) == element
  coopMatPerElementNV(m, m, apply);
#else
  coopMatReduceNV(m, m, gl_CooperativeMatrixReduceRowNV, combine);
#endif
  coopMatStore(m, data, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
}
