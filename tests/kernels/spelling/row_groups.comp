#version 450
#extension GL_EXT_control_flow_attributes : require
// Rows of a matrix whose width the host gives, each read by some neighbouring invocations: in steps of a few rows, of
// which the last ones may not be there. A number of floats, halved, says where a row begins.
//! each INT = uint | int
//! each LANES = 8 | 16
//! each ROWS = 32 | 29
//! remarks "gather" 0 except "reference" "robust access" "checked shapes"
//! buffer a f32[33 * 44] binding 0 = i % 97
//! buffer y f32[64] binding 1
//! push u32 44, u32 $(ROWS)
//! subgroup 32
//! dispatch 1
//! expect y = sum(k, 0, 4, i / $(LANES) + k * 64 / $(LANES) < $(ROWS) ? (((i / $(LANES) + k * 64 / $(LANES)) * 44 / 2 + i % $(LANES)) * 2) % 97 + 2 * ((((i / $(LANES) + k * 64 / $(LANES)) * 44 / 2 + i % $(LANES)) * 2 + 1) % 97) : 0)
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer A { vec2 a[]; };
layout(binding = 1) writeonly buffer Y { float y[]; };
layout(push_constant) uniform Push { uint width, rows; };

void main() {
  const INT lane = INT(gl_LocalInvocationIndex), first = lane / LANES, place = lane % LANES;
  float sum = 0;
  [[unroll]] for (INT k = 0; k < 4; ++k) {
    const INT row = first + k * (64 / LANES);
    if (row < INT(rows)) {
      const vec2 pair = a[row * INT(width) / 2 + place];
      sum += pair.x + 2 * pair.y;
    }
  }
  y[lane] = sum;
}
