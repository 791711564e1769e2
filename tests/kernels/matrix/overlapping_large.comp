#version 450
// Matrices of flexible sizes, of a subgroup or of the workgroup, those that are in registers and
// those that live in memory, are stored unchanged over what they were loaded from.
//! each SCOPE INVOCATIONS LANES = gl_ScopeSubgroup 0 32
//!+ | gl_ScopeWorkgroup 64 64
//! each SIZE R C = 24x8 24 8 | 16x32 16 32 | 32x48 32 48
//! each WAY OUT FROM TO = down 68 row row | up 60 row row | turned 72 row column
//!+ | turned_back 56 column row
//! require cooperativeMatrixFlexibleDimensions
//! require matrix_type $(R) $(C) A f32 invocations $(INVOCATIONS)
//! subgroup 32 full
//! buffer data f32[2048] binding 0 = random(-100, 100, 1)
//! buffer straight u32[2048] = i < $(OUT) || i >= $(OUT) + $(R) * $(C) ? i : i - $(OUT) + 64
//! buffer row_row u32[2048] = straight[i]
//! buffer row_column u32[2048] = i < $(OUT) || i >= $(OUT) + $(R) * $(C) ? i
//!+ : 64 + (i - $(OUT)) % $(R) * $(C) + (i - $(OUT)) / $(R)
//! buffer column_row u32[2048] = i < $(OUT) || i >= $(OUT) + $(R) * $(C) ? i
//!+ : 64 + (i - $(OUT)) % $(C) * $(R) + (i - $(OUT)) / $(C)
//! dispatch 1
//! expect data = data[$(FROM)_$(TO)[i]]
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_NV_cooperative_matrix2 : require
layout(local_size_x = LANES) in;
layout(binding = 0) buffer Data { float data[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor, column = gl_CooperativeMatrixLayoutColumnMajor;

void main() {
  coopmat<float, SCOPE, R, C, gl_MatrixUseA> m;
  coopMatLoad(m, data, 64, FROM == row ? C : R, FROM);
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer,
                 gl_SemanticsAcquireRelease);
  coopMatStore(m, data, OUT, TO == row ? C : R, TO);
}
