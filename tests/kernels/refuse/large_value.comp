#version 450
// A value of more scalars than any memory has room for code to copy them.
//! buffer data u32[4] binding 0
//! refuse "1073741824 scalars.*used by Op.*large_value.comp:12"
//! debug
layout(local_size_x = 1) in;
struct Large {
  uint words[1 << 30];
};
layout(binding = 0) buffer Data { Large from, to; };

void main() { to = from; }
