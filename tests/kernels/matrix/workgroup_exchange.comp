#version 450
// Invocations of a workgroup that holds a matrix exchange words, at places that only the program
// knows, through shared memory and through a buffer, with nothing but barriers in between.
//! each SIZE = 64 | 128 | 256 | 1024
//! require cooperativeMatrix shaderFloat16 storageBuffer16BitAccess cooperativeMatrixWorkgroupScope
//! buffer matrix f16[256] binding 0 = i
//! buffer words u32[1024] binding 1 = i
//! buffer swapped u32[1024] binding 2 = 0
//! spec 0 = u32 $(SIZE)
//! subgroup 32 full
//! dispatch 1
//! expect matrix = 2 * i
//! expect words[0..$(SIZE)] = 15 * ((i + 1) % $(SIZE)) + 5 + 3 * i
//! expect swapped[0..$(SIZE)] = 7 * (i ^ 33) + 1
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x_id = 0) in;
layout(binding = 0) buffer Matrix { float16_t elements[]; };
layout(binding = 1) coherent buffer Words { uint words[]; };
layout(binding = 2) coherent buffer Swapped { uint swapped[]; };
shared uint exchanged[1024];
const int row = gl_CooperativeMatrixLayoutRowMajor;

void main() {
  const uint i = gl_LocalInvocationIndex, size = gl_WorkGroupSize.x;
  coopmat<float16_t, gl_ScopeWorkgroup, 16, 16, gl_MatrixUseAccumulator> m;
  coopMatLoad(m, elements, 0, 16, row);
  // A permutation, since 77 is odd and the size a power of two.
  const uint place = (i * 77 + 13) % size;
  exchanged[place] = words[i] * 3 + 1;
  barrier();
  const uint next = exchanged[((i + 1) * 77 + 13) % size];
  barrier();
  exchanged[place ^ 1] = next * 5;
  barrier();
  words[i] = exchanged[place ^ 1] + words[i] * 3;
  swapped[place] = i * 7;
  memoryBarrierBuffer();
  barrier();
  const uint other = swapped[((i ^ 33) * 77 + 13) % size] + 1;
  memoryBarrierBuffer();
  barrier();
  swapped[i] = other;
  coopMatStore(m + m, elements, 0, 16, row);
}
