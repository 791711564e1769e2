#version 450
// What invocations have of their own beside matrices of the workgroup, before and after each of
// them: sums, places that count up, two that change places, numbers of subgroups, truth values,
// vectors and pointers, also where only some of the invocations go on.
//! require cooperativeMatrix shaderFloat16 storageBuffer16BitAccess cooperativeMatrixWorkgroupScope
//! require matrix 16 16 16 f16 f16 f32 f32 invocations 128
//! require subgroup basic
//! buffer a f16[256] binding 0 = random(-4, 4, 1)
//! buffer b f16[256] binding 1 = random(-4, 4, 2)
//! buffer d f32[256] binding 2
//! buffer data u32[1024] binding 3 = random(0, 100, 3)
//! buffer sums u32[128] binding 4
//! buffer first u32[128] binding 5
//! buffer second u32[128] binding 6
//! buffer numbers u32[128] binding 7
//! buffer odd u32[128] binding 8
//! buffer some u32[128] binding 9 = 7
//! buffer rounds u32[1] binding 10 = { 5 }
//! subgroup 32 full
//! dispatch 1
//! matmul d(16, 16) = a(16, 16) * b(16, 16) steps 5
//! expect sums = sum(k, 0, 5, data[i + 128 * k])
//! expect first = 1002 + i
//! expect second = 3 + i
//! expect numbers = i / 32 + 10 + (i + 640) * 100 + (i % 16) * 5 * 1000000
//! expect odd = i % 2 == 0 ? 1 : 0
//! expect some = i % 3 == 0 ? data[i] + data[i + 512] : 7
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 128) in;
layout(binding = 0) readonly buffer ABuffer { float16_t a[]; };
layout(binding = 1) readonly buffer BBuffer { float16_t b[]; };
layout(binding = 2) writeonly buffer DBuffer { float d[]; };
layout(binding = 3) readonly buffer Data { uint data[]; };
layout(binding = 4) writeonly buffer Sums { uint sums[]; };
layout(binding = 5) writeonly buffer First { uint first[]; };
layout(binding = 6) writeonly buffer Second { uint second[]; };
layout(binding = 7) writeonly buffer Numbers { uint numbers[]; };
layout(binding = 8) writeonly buffer Odd { uint odd[]; };
layout(binding = 9) writeonly buffer Some { uint some[]; };
layout(binding = 10) readonly buffer Rounds { uint rounds; };
const int row = gl_CooperativeMatrixLayoutRowMajor;
#define ACCUMULATOR coopmat<float, gl_ScopeWorkgroup, 16, 16, gl_MatrixUseAccumulator>

void main() {
  const uint i = gl_LocalInvocationIndex;
  coopmat<float16_t, gl_ScopeWorkgroup, 16, 16, gl_MatrixUseA> x;
  coopmat<float16_t, gl_ScopeWorkgroup, 16, 16, gl_MatrixUseB> y;
  coopMatLoad(y, b, 0, 16, row);
  ACCUMULATOR product = ACCUMULATOR(0.0);
  uint sum = 0, at = i, one = i, other = 1000 + i, mine = gl_SubgroupID;
  bool is_odd = i % 2 == 1;
  uvec2 pair = uvec2(i % 16, 0);
  uint chosen = data[i];
  const bool takes_part = i % 3 == 0;
  for (uint k = 0; k < rounds; ++k) {
    coopMatLoad(x, a, 0, 16, row);
    for (int c = 0; c < x.length(); ++c)
      if (k != 0) x[c] = float16_t(0);
    product = coopMatMulAdd(x, y, product);
    sum += data[at];
    at += 128;
    const uint old = one;
    one = other;
    other = old + 1;
    mine += k;
    is_odd = !is_odd;
    pair.y += pair.x;
  }
  coopMatStore(product, d, 0, 16, row);
  sums[i] = sum;
  first[i] = one;
  second[i] = other;
  numbers[i] = mine + at * 100 + pair.y * 1000000;
  odd[i] = uint(is_odd);
  if (takes_part) some[i] = chosen + data[i + 512];
}
