#version 450
// Reductions whose sizes do not fit once they are specialized.
//! each MASK ROWS COLUMNS = Row 8 8 | Column 16 8 | 2x2 16 8
//! require cooperativeMatrix
//! require matrix 16 8 16 f16 f16 f32 f32
//! require matrix 8 8 8 f16 f16 f32 f32
//! require cooperativeMatrixReductions
//! spec 0 = u32 $(ROWS)
//! spec 1 = u32 $(COLUMNS)
//! subgroup 32 full
//! buffer data f32[256] binding 0
//! refuse "a (reduction of rows must keep the number of rows|reduction of columns must keep the number of columns|2x2 reduction must halve)"
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
layout(binding = 0) buffer Data { float data[]; };
layout(constant_id = 0) const int kRows = 16;
layout(constant_id = 1) const int kColumns = 16;

float add(const in float x, const in float y) { return x + y; }

void main() {
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> m;
  coopmat<float, gl_ScopeSubgroup, kRows, kColumns, gl_MatrixUseAccumulator> reduced;
  coopMatLoad(m, data, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
  coopMatReduceNV(reduced, m, gl_CooperativeMatrixReduce$(MASK)NV, add);
  coopMatStore(reduced, data, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
}
