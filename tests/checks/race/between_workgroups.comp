#version 450
// Each workgroup stores a number, and behind a barrier, which is for one workgroup only, the first
// one adds all of them up. Two dispatches do it right. After Oclgrind's test
// data-race/intergroup_race.
//! debug
//! each BUG = 1 | 0
//! setting check race
//! buffer numbers u32[8] binding 0 = 0
//! buffer total u32[1] binding 1 = 0
//! push u32 0
//! dispatch 8
//! push u32 1
//! dispatch 1
//! finding race device-memory times $(BUG)
//! expect numbers = i + 1
//! expect total = $(BUG) ? @total[0] : 36
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 32) in;
layout(binding = 0) coherent buffer Numbers { uint numbers[]; };
layout(binding = 1) writeonly buffer Total { uint total; };
layout(push_constant) uniform Push { uint step; };

void main() {
  uint g = gl_WorkGroupID.x;
  bool is_first = gl_LocalInvocationIndex == 0;
  if (step == 0 && is_first) numbers[g] = g + 1;  // finding
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeDevice, gl_StorageSemanticsBuffer,
                 gl_SemanticsAcquireRelease);
  if (step == 1 - BUG && g == 0 && is_first) {
    uint sum = 0;
    for (uint k = 0; k < 8; ++k) {
      sum += numbers[k];  // finding
    }
    total = sum;
  }
}
