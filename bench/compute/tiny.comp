#version 450
// As little as a dispatch can do and still be seen to have come after the one before.
layout(local_size_x = 32) in;
layout(binding = 0) buffer Data { uint count[]; };

void main() { count[gl_GlobalInvocationID.x] = count[gl_GlobalInvocationID.x] * 3u + 1u; }
