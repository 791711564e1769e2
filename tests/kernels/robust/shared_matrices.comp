#version 450
// Matrices in Workgroup memory, with lines that end behind the array or begin before it: what is
// outside loads as 0 and is not stored, and what lies beside the array stays as it is.
//! each SCOPE SIZE HELD = Subgroup 32 0 | Workgroup 64 64
//! each LAYOUT LINE PLACE = RowMajor (i/16) (i%16) | ColumnMajor (i%16) (i/16)
//! each NAME OFFSET STRIDE = end 100 16 | apart 0 40 | far 0x10000000 16 | steep 8 0x10000000
//!+ | before -8 16
//! require cooperativeMatrix cooperativeMatrixWorkgroupScope
//! require cooperativeMatrixFlexibleDimensions
//! require matrix_type 16 16 Accumulator f32 invocations $(HELD)
//! robust
//! buffer numbers f32[256] binding 0 = 1000 + i
//! buffer loaded f32[256] binding 1
//! buffer found f32[512] binding 2
//! subgroup 32 full
//! spec 0 = u32 $(SIZE)
//! push s32 $(OFFSET), s32 $(STRIDE)
//! dispatch 1
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x_id = 0) in;
layout(binding = 0) readonly buffer Numbers { float numbers[]; };
layout(binding = 1) writeonly buffer Loaded { float loaded[]; };
layout(binding = 2) writeonly buffer Found { float found[]; };
layout(push_constant) uniform Push { int offset, stride; };
#define MATRIX coopmat<float, gl_Scope$(SCOPE), 16, 16, gl_MatrixUseAccumulator>
const int lines = gl_CooperativeMatrixLayout$(LAYOUT), row = gl_CooperativeMatrixLayoutRowMajor;
shared float before[128];
shared float tile[256];
shared float behind[128];

void main() {
  for (uint k = gl_LocalInvocationIndex; k < 256; k += gl_WorkGroupSize.x) {
    tile[k] = k + 1;
    before[k / 2] = -1;
    behind[k / 2] = -2;
  }
  barrier();
  MATRIX m;
  coopMatLoad(m, tile, offset, stride, lines);
  coopMatStore(m, loaded, 0, 16, row);
  barrier();
  coopMatLoad(m, numbers, 0, 16, lines);
  coopMatStore(m, tile, offset, stride, lines);
  barrier();
  for (uint k = gl_LocalInvocationIndex; k < 512; k += gl_WorkGroupSize.x)
    found[k] = k < 128 ? before[k] : k < 384 ? tile[k - 128] : behind[k - 384];
}
//! expect found[0..128] = -1
//! expect found[384..512] = -2
//! expect loaded = $(OFFSET) >= 0 && $(OFFSET) + $(LINE) * $(STRIDE) + $(PLACE) < 256
//!+ ? $(OFFSET) + $(LINE) * $(STRIDE) + $(PLACE) + 1 : 0
//! check count(k, 128, 384, @found[k] != k - 127) == ($(OFFSET) < 0 ? 0
//!+ : count(i, 0, 256, $(OFFSET) + $(LINE) * $(STRIDE) + $(PLACE) < 256))
//! check count(i, 0, 256, $(OFFSET) >= 0 && $(OFFSET) + $(LINE) * $(STRIDE) + $(PLACE) < 256
//!+ && @found[min(383, 128 + max(0, $(OFFSET) + $(LINE) * $(STRIDE) + $(PLACE)))]
//!+ != 1000 + $(LINE) * 16 + $(PLACE)) == 0
