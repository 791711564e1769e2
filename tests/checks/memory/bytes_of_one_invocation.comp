#version 450
// One invocation stores a vector of bytes, all of one value, before the end of an array of arrays.
// LLVM 22 did not come to an end over what was known of lanes and bytes here.
//! debug
//! each BUG = 1 | 0
//! require shaderInt8 shaderInt64 uniformAndStorageBuffer8BitAccess shader64BitIndexing scalarBlockLayout
//! setting check memory
//! finding memory array-bounds times $(BUG) "store"
//! buffer rows u8[14412] binding 4 = 1
//! push u32 5
//! dispatch 2
//! expect rows = $(BUG) ? @rows[i] : i >= 12 && (i - 12) / 4 % 3 == 1 && (i - 12) / 60 % 24 == 23 && (i - 12) / 12 % 5 == min(180 - (i - 12) / 60 % 48 - 33 * ((i - 12) / 60 / 48), 4) ? (i - 12) / 60 % 48 : 1
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_64bit_indexing : require
layout(local_size_x = 24) in;
layout(scalar, binding = 4) writeonly buffer Rows { uint head[3]; u8vec4 rows[][5][3]; };
layout(push_constant) uniform Push { uint turns; };

void main() {
  const uint me = gl_WorkGroupID.x * 24u + gl_LocalInvocationIndex;
  if (gl_LocalInvocationIndex != 23u) return;
  for (uint k = turns; k-- > 0u;) {
    const int64_t at = 180l - (int64_t(me) + int64_t(k) * 33l);
    rows[48l * int64_t(k) + int64_t(me)][min(max(at, 0l), 4l) + BUG][1] = u8vec4(uint8_t(me & 63u));  // finding
  }
}
