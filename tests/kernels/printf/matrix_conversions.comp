#version 450
// debugPrintfEXT of a matrix: width, precision, alignment, bits; other arguments beside it; two
// matrices; a GLSL matrix; and formats that do not fit.
//! require cooperativeMatrix shaderFloat16 shaderInt8 cooperativeMatrixFlexibleDimensions
//! require storageBuffer16BitAccess storageBuffer8BitAccess
//! require matrix_type 8 8 A f16
//! require matrix_type 8 8 A s8
//! buffer halves f16[64] binding 0 = i == 63 ? -inf : i == 62 ? nan : i < 4 ? i * 0.5 - 1 : 0
//! buffer bytes s8[64] binding 1 = i - 4
//! subgroup 32 full
//! dispatch 1
//! prints "^f.-1.000000, -0.500000,  0.000000,  0.500000(,  0.000000){4}(. 0.000000(,  0.000000){7}){6}. 0.000000(,  0.000000){5}, +-?nan,      -inf$"
//! prints "^width.   -1.0,    -0.5,     0.0,     0.5(,     0.0){4}."
//! prints "^left.-1,   -0.5, 0,    0.5,  0(,    0){3}.0,    0"
//! prints "^bits.bc00, b800,    0, 3800(,    0){4}."
//! prints "^signed.-4, -3, -2, -1,  0,  1,  2,  3. 4,  5,"
//! prints "^hex.fc, fd, fe, ff, 00, 01, 02, 03.04, 05"
//! prints "^beside 3.-4, -3.*, 59.and 1.5, 2.5 after$"
//! prints "^two.-4, -3.*, 59.and.  -1, -0.5,    0.* nan, -inf$"
//! prints "^new line.-4, -3,.*, 59.$"
//! prints "^vector.-4, -3,.*, 59$"
//! prints "^string %s then 7$"
//! prints "^none$"
//! prints "^more 1.-4, .*, 59.%d %f$"
//! prints "^odd %y and.-4, .*, 59$"
//! prints "^glsl.1, 4.2, 5.3, 6.then 9$" times 32
//! prints "^constant.2, 2(, 2){6}(.2(, 2){7}){7}$"
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_debug_printf : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer Halves { float16_t halves[]; };
layout(binding = 1) readonly buffer Bytes { int8_t bytes[]; };
const int row = gl_CooperativeMatrixLayoutRowMajor;

void main() {
  coopmat<float16_t, gl_ScopeSubgroup, 8, 8, gl_MatrixUseA> h;
  coopmat<int8_t, gl_ScopeSubgroup, 8, 8, gl_MatrixUseA> b;
  coopMatLoad(h, halves, 0, 8, row);
  coopMatLoad(b, bytes, 0, 8, row);
  debugPrintfEXT("f\n%f", h);
  debugPrintfEXT("width%7.1f", h);
  debugPrintfEXT("left%-g", h);
  debugPrintfEXT("bits%x", h);
  debugPrintfEXT("signed%d", b);
  debugPrintfEXT("hex%02x", b);
  debugPrintfEXT("beside %d%dand %v2g after", 3, b, vec2(1.5, 2.5));
  debugPrintfEXT("two%dand%g", b, h);
  debugPrintfEXT("new line\n%d\n", b);
  debugPrintfEXT("vector%v4d", b);
  debugPrintfEXT("string %s then %d", b, 7);
  debugPrintfEXT("none", b, h);
  debugPrintfEXT("more %d%d%d %f", 1, b);
  debugPrintfEXT("odd %y and%d", b);
  debugPrintfEXT("glsl%gthen %d", mat2x3(1, 2, 3, 4, 5, 6) + mat2x3(0), 9);
  debugPrintfEXT("constant%g", coopmat<float16_t, gl_ScopeSubgroup, 8, 8, gl_MatrixUseA>(2.0));
}
