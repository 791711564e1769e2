#version 450
// cooperativeMatrixRobustBufferAccess: what of a matrix lies outside of its buffer loads as 0 and is
// not stored. By rows and by columns, with gaps between lines, lines that overlap, and lines of
// stride 0; buffers that end within a line, and within a component; both scopes.
//! each SCOPE SIZE HELD = Subgroup 32 0 | Workgroup 128 128
//! each LAYOUT LINE PLACE = RowMajor (i/24) (i%24) | ColumnMajor (i%24) (i/24)
//! each LINES STRIDE = tight 24 | apart 29 | overlapping 5 | same 0
//! require cooperativeMatrixRobustBufferAccess cooperativeMatrixWorkgroupScope
//! require cooperativeMatrixFlexibleDimensions
//! require matrix_type 24 24 Accumulator f32 invocations $(HELD)
//! robust
//! buffer a f32[800] binding 0 range 1042 = 1 + i
//! buffer numbers f32[576] binding 1 = 1000 + i / 24 * 100 + i % 24
//! buffer loaded f32[576] binding 2
//! buffer stored f32[800] binding 3 range 1250 = -1
//! subgroup 32 full
//! spec 0 = u32 $(SIZE)
//! push u32 $(STRIDE)
//! dispatch 1
//! expect loaded = 7 + $(LINE) * $(STRIDE) + $(PLACE) < 260 ? 8 + $(LINE) * $(STRIDE) + $(PLACE) : 0
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_NV_cooperative_matrix2 : require
layout(local_size_x_id = 0) in;
layout(binding = 0) readonly buffer A { float a[]; };
layout(binding = 1) readonly buffer Numbers { float numbers[]; };
layout(binding = 2) writeonly buffer Loaded { float loaded[]; };
layout(binding = 3) writeonly buffer Stored { float stored[]; };
layout(push_constant) uniform Push { uint stride; };
#define MATRIX coopmat<float, gl_Scope$(SCOPE), 24, 24, gl_MatrixUseAccumulator>
const int lines = gl_CooperativeMatrixLayout$(LAYOUT), row = gl_CooperativeMatrixLayoutRowMajor;

void main() {
  MATRIX m;
  coopMatLoad(m, a, 7, stride, lines);
  coopMatStore(m, loaded, 0, 24, row);
  coopMatLoad(m, numbers, 0, 24, lines);
  // Components that lie in the same place would be stored in no order.
  if (stride >= 24) coopMatStore(m, stored, 7, stride, lines);
}
//! expect stored = $(STRIDE) < 24 || i < 7 || i >= 312 || (i - 7) % max(1, $(STRIDE)) >= 24 ? -1
//!+ : 1000 + (i - 7) / max(1, $(STRIDE)) * 100 + (i - 7) % max(1, $(STRIDE))
