#version 450
// Shared memory around operations on matrices of Workgroup scope: each invocation fills its part
// before a barrier and reads others' parts after one, in several rounds.
//! each SIZE = 64 | 256
//! require cooperativeMatrix shaderFloat16 storageBuffer16BitAccess cooperativeMatrixWorkgroupScope
//! require matrix 16 16 16 f16 f16 f32 f32 invocations $(SIZE)
//! buffer a f16[16 * 64] binding 0 = random(-4, 4, 1)
//! buffer b f16[64 * 16] binding 1 = random(-4, 4, 2)
//! buffer d f32[256] binding 2
//! buffer sums f32[256] binding 3
//! spec 0 = u32 $(SIZE)
//! subgroup 32 full
//! dispatch 1
//! matmul d(16, 16) = a(16, 64) * b(64, 16) steps 4
//! expect sums[0..$(SIZE)] = sum(k, 0, 256 / $(SIZE), @d[255 - (n + k * $(SIZE))])
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x_id = 0) in;
layout(binding = 0) readonly buffer ABuffer { float16_t a[]; };
layout(binding = 1) readonly buffer BBuffer { float16_t b[]; };
layout(binding = 2) buffer DBuffer { float d[]; };
layout(binding = 3) writeonly buffer Sums { float sums[]; };
shared float16_t tile_a[256], tile_b[256];
shared float tile_d[256];
const int row = gl_CooperativeMatrixLayoutRowMajor;

void main() {
  const uint i = gl_LocalInvocationIndex, size = gl_WorkGroupSize.x;
  coopmat<float, gl_ScopeWorkgroup, 16, 16, gl_MatrixUseAccumulator> sum =
      coopmat<float, gl_ScopeWorkgroup, 16, 16, gl_MatrixUseAccumulator>(0.0);
  for (uint step = 0; step < 4; ++step) {
    for (uint e = i; e < 256; e += size) {
      // Not where the invocation's own part of the matrix is.
      uint other = 255 - e;
      tile_a[other] = a[other / 16 * 64 + step * 16 + other % 16];
      tile_b[other] = b[(step * 16 + other / 16) * 16 + other % 16];
    }
    barrier();
    coopmat<float16_t, gl_ScopeWorkgroup, 16, 16, gl_MatrixUseA> x;
    coopmat<float16_t, gl_ScopeWorkgroup, 16, 16, gl_MatrixUseB> y;
    coopMatLoad(x, tile_a, 0, 16, row);
    coopMatLoad(y, tile_b, 0, 16, row);
    sum = coopMatMulAdd(x, y, sum);
    barrier();
  }
  coopMatStore(sum, tile_d, 0, 16, row);
  coopMatStore(sum, d, 0, 16, row);
  barrier();
  float total = 0;
  for (uint e = i; e < 256; e += size) total += tile_d[255 - e];
  sums[i] = total;
}
