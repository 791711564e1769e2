#version 450
// A loop shifts a tile on through memory, step by step or in one iteration what the one before
// loaded; lines whose distance is known, or read from memory.
//! each STEP = 1 | 3
//! each CARRIED = no | yes
//! each STRIDE = 16 | stride
//! define CARRIED_$(CARRIED)
//! require cooperativeMatrix
//! require matrix_type 16 16 Accumulator f32
//! subgroup 32 full
//! buffer data f32[512] binding 0 = random(-100, 100, 1)
//! buffer numbers u32[1] binding 1 = 16
//! dispatch 1
//! buffer once_1 u32[512] = i < 20 || i >= 276 ? i : i - 20
//! buffer twice_1 u32[512] = i < 24 || i >= 280 ? once_1[i] : once_1[i - 20]
//! buffer once_3 u32[512] = i < 28 || i >= 284 ? i : i - 28
//! buffer twice_3 u32[512] = i < 40 || i >= 296 ? once_3[i] : once_3[i - 28]
//! buffer no_1 u32[512] = i < 28 || i >= 284 ? twice_1[i] : twice_1[i - 20]
//! buffer no_3 u32[512] = i < 52 || i >= 308 ? twice_3[i] : twice_3[i - 28]
//! buffer first_1 u32[512] = i < 20 || i >= 276 ? i : i - 20
//! buffer second_1 u32[512] = i < 24 || i >= 280 ? first_1[i] : i - 24
//! buffer yes_1 u32[512] = i < 28 || i >= 284 ? second_1[i]
//!+ : once_1[i - 28 + 4]
//! buffer first_3 u32[512] = i < 28 || i >= 284 ? i : i - 28
//! buffer second_3 u32[512] = i < 40 || i >= 296 ? first_3[i] : i - 40
//! buffer yes_3 u32[512] = i < 52 || i >= 308 ? second_3[i]
//!+ : once_3[i - 52 + 12]
//! expect data = data[$(CARRIED)_$(STEP)[i]]
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 32) in;
layout(binding = 0) buffer Data { float data[]; };
layout(binding = 1) readonly buffer Numbers { uint stride; };
const int row = gl_CooperativeMatrixLayoutRowMajor;

void wait() {
  controlBarrier(gl_ScopeSubgroup, gl_ScopeSubgroup, gl_StorageSemanticsBuffer,
                 gl_SemanticsAcquireRelease);
}

// Iteration k loads from 4 * STEP * k, and stores 16 + 4 * STEP further, what it loaded or what the
// one before did.
void main() {
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> m, last;
  coopMatLoad(last, data, 0, STRIDE, row);
  for (uint k = 0; k < 3; ++k) {
    coopMatLoad(m, data, 4 * STEP * k, STRIDE, row);
    wait();
#if defined(CARRIED_yes)
    coopMatStore(last, data, 16 + 4 * STEP * (k + 1), STRIDE, row);
    last = m;
#else
    coopMatStore(m, data, 16 + 4 * STEP * (k + 1), STRIDE, row);
#endif
    wait();
  }
}
