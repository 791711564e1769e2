#version 450
// Layouts and views as values: parameters and results of functions, members of structures, elements
// of arrays, variables that control flow changes. Dimensions and clamp mode from specialization
// constants.
//! require cooperativeMatrixTensorAddressing
//! require matrix 16 16 16 f32 f32 f32 f32
//! spec 0 = u32 2
//! spec 1 = u32 1
//! spec 2 = u32 1
//! subgroup 32 full
//! buffer source f32[2048] binding 0 = i
//! buffer results f32[1280] binding 1
//! push u32 3, u32 1
//! dispatch 1
//! expect results[0..256] = source[n / 16 * 32 + n % 16 + 3 * 16]
//! expect results[256..512] = n / 16 < 13 ? source[n % 16 * 32 + n / 16 + 3] : 7
//! expect results[512..768] = source[n / 16 * 32 + n % 16 + 6]
//! expect results[768..1024] = source[n / 16 * 32 + n % 16 + 16]
//! expect results[1024..1280] = source[n % 16 * 32 + n / 16 + 16]
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_NV_cooperative_matrix2 : require
layout(local_size_x = 32) in;
layout(constant_id = 0) const int dimensions = 2;
layout(constant_id = 1) const int mode = 0;
layout(constant_id = 2) const int first = 0;
layout(binding = 0) readonly buffer Source { float source[]; };
layout(binding = 1) writeonly buffer Results { float results[]; };
layout(push_constant) uniform Push { int offset; int choice; };
#define LAYOUT tensorLayoutNV<dimensions, mode>
#define VIEW tensorViewNV<2, false, first, 0>
#define MATRIX coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>

struct Tensor { int unused; LAYOUT shape; VIEW turned; };

LAYOUT rows(int height, int width, int stride) {
  LAYOUT l = createTensorLayoutNV(dimensions, mode);
  l = setTensorLayoutDimensionNV(l, height, width);
  l = setTensorLayoutStrideNV(l, stride, 1);
  return setTensorLayoutClampValueNV(l, floatBitsToUint(7));
}

MATRIX load(const in LAYOUT l) {
  MATRIX m = MATRIX(0.0);
  coopMatLoadTensorNV(m, source, 0, l);
  return m;
}

void moveBy(inout LAYOUT l, int right) { l = sliceTensorLayoutNV(l, 0, 16, right, 16); }

void main() {
  // A slice from a loop.
  LAYOUT l = rows(64, 128, 32);
  for (int k = 0; k < offset; ++k) moveBy(l, 16);
  coopMatStore(load(l), results, 0, 16, gl_CooperativeMatrixLayoutRowMajor);

  // A member of a structure, with a view beside it.
  Tensor t;
  t.shape = sliceTensorLayoutNV(rows(64, 16, 32), 0, 16, offset, 16);
  t.turned = createTensorViewNV(2, false, first, 0);
  MATRIX m = MATRIX(0.0);
  coopMatLoadTensorNV(m, source, 0, t.shape, t.turned);
  coopMatStore(m, results, 256, 16, gl_CooperativeMatrixLayoutRowMajor);

  // An element of an array.
  LAYOUT several[3];
  for (int k = 0; k < 3; ++k) several[k] = sliceTensorLayoutNV(rows(64, 32, 32), 0, 16, 6 * k, 16);
  coopMatStore(load(several[choice]), results, 512, 16, gl_CooperativeMatrixLayoutRowMajor);

  // One of two, from control flow.
  LAYOUT either = rows(64, 32, 32);
  if (choice == 1)
    moveBy(either, 16);
  else
    moveBy(either, 8);
  coopMatStore(load(either), results, 768, 16, gl_CooperativeMatrixLayoutRowMajor);
  VIEW v = t.turned;
  coopMatLoadTensorNV(m, source, 0, either, v);
  coopMatStore(m, results, 1024, 16, gl_CooperativeMatrixLayoutRowMajor);
}
