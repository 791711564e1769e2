// SPDX-License-Identifier: Apache-2.0

#include "tests/tensor/shader.h"

namespace tensors {

namespace {

using matrices::Random;

// Weights of the coordinates in what a decode function returns.
uint32_t blockWeight(uint32_t dim) { return 1000 + 17 * dim; }
uint32_t inBlockWeight(uint32_t dim) { return 5 + 3 * dim; }

class Writer {
 public:
  explicit Writer(Program& program) : p_(program) {}

  void write() {
    const Case& c = p_.c;
    const char* component = p_.bytes == 1 ? "uint8_t" : p_.bytes == 2 ? "uint16_t" : "uint32_t";
    line("#version 450");
    for (const char* extension :
         {"GL_KHR_cooperative_matrix", "GL_KHR_memory_scope_semantics", "GL_NV_cooperative_matrix2",
          "GL_EXT_shader_explicit_arithmetic_types", "GL_EXT_shader_8bit_storage",
          "GL_EXT_shader_16bit_storage", "GL_EXT_buffer_reference"})
      line(std::string("#extension ") + extension + " : enable");
    line("layout(local_size_x = " + std::to_string(p_.workgroup ? kWorkgroupSize : 32) + ") in;");
    line(std::string("layout(binding = 0) buffer Tensor { ") + component + " tensor[]; };");
    line(std::string("layout(binding = 1) buffer Matrix { ") + component + " matrix[]; };");
    line(std::string("layout(binding = 2) buffer Result { ") + component + " result[]; };");
    line("layout(binding = 3) buffer Numbers { uint numbers[]; };");
    if (p_.access == Access::Decode) writeDecode();
    line("void main() {");
    writeLayout();
    if (c.view) writeView();
    line("coopmat<" + std::string(component) +
         (p_.workgroup ? ", gl_ScopeWorkgroup, " : ", gl_ScopeSubgroup, ") +
         std::to_string(c.rows) + ", " + std::to_string(c.columns) +
         ", gl_MatrixUseAccumulator> m;");
    const std::string rows =
        ", 0, " + std::to_string(c.columns) + ", gl_CooperativeMatrixLayoutRowMajor);";
    line("coopMatLoad(m, matrix" + rows);
    const std::string view = c.view ? ", v" : "";
    if (p_.access == Access::Store) {
      line("coopMatStoreTensorNV(m, tensor, 0, l" + view + ");");
    } else {
      line("coopMatLoadTensorNV(m, tensor, 0, l" + view +
           (p_.access == Access::Decode ? ", decode);" : ");"));
    }
    line("coopMatStore(m, result" + rows);
    line("}");
  }

 private:
  void line(const std::string& text) { p_.text += text + "\n"; }

  // A 32-bit number, known or read.
  std::string number(uint32_t value) {
    if (p_.constants) return std::to_string(value) + "u";
    p_.numbers.push_back(value);
    return "numbers[" + std::to_string(p_.numbers.size() - 1) + "]";
  }
  std::string numbers(const Coord& values, uint32_t count) {
    std::string text;
    for (uint32_t k = 0; k < count; ++k) text += ", " + number(values[k]);
    return text;
  }

  void writeLayout() {
    const Layout& t = p_.c.layout;
    const std::string type =
        std::to_string(t.dimensions) + ", " + std::to_string(static_cast<uint32_t>(t.mode));
    line("tensorLayoutNV<" + type + "> l = createTensorLayoutNV(" + type + ");");
    line("l = setTensorLayoutBlockSizeNV(l" + numbers(t.block_size, t.dimensions) + ");");
    line("l = setTensorLayoutDimensionNV(l" + numbers(t.dimension, t.dimensions) + ");");
    Layout dense = t;
    dense.setDimensions(t.dimension);
    if (dense.stride != t.stride)
      line("l = setTensorLayoutStrideNV(l" + numbers(t.stride, t.dimensions) + ");");
    line("l = setTensorLayoutClampValueNV(l, " + number(t.clamp_value) + ");");
    std::string slice;
    for (uint32_t dim = 0; dim < t.dimensions; ++dim)
      slice += ", " + number(static_cast<uint32_t>(t.offset[dim])) + ", " + number(t.span[dim]);
    line("l = sliceTensorLayoutNV(l" + slice + ");");
  }

  void writeView() {
    const View& v = *p_.c.view;
    std::string type = std::to_string(v.dimensions) + (v.has_dimensions ? ", true" : ", false");
    for (uint32_t dim = 0; dim < v.dimensions; ++dim)
      type += ", " + std::to_string(v.permutation[dim]);
    line("tensorViewNV<" + type + "> v = createTensorViewNV(" + type + ");");
    if (v.has_dimensions) {
      line("v = setTensorViewDimensionsNV(v" + numbers(v.dimension, v.dimensions) + ");");
      line("v = setTensorViewStrideNV(v" + numbers(v.stride, v.dimensions) + ");");
    }
    line("v = setTensorViewClipNV(v, " + number(v.clip_row_offset) + ", " +
         number(v.clip_row_span) + ", " + number(v.clip_column_offset) + ", " +
         number(v.clip_column_span) + ");");
  }

  void writeDecode() {
    const std::string count = std::to_string(p_.c.layout.dimensions);
    line("layout(buffer_reference, std430, buffer_reference_align = 4) buffer Block { uint words[" +
         std::to_string(p_.block_words) + "]; };");
    const char* component = p_.bytes == 1 ? "uint8_t" : p_.bytes == 2 ? "uint16_t" : "uint32_t";
    line(std::string(component) + " decode(const in Block b, const in uint32_t block[" + count +
         "], const in uint32_t within[" + count + "]) {");
    std::string sum = "b.words[0]";
    for (uint32_t dim = 0; dim < p_.c.layout.dimensions; ++dim) {
      const std::string at = "[" + std::to_string(dim) + "]";
      sum += " + block" + at + " * " + std::to_string(blockWeight(dim)) + " + within" + at + " * " +
             std::to_string(inBlockWeight(dim));
    }
    line("return " + std::string(component) + "(" + sum + ");");
    line("}");
  }

  Program& p_;
};

}  // namespace

std::string Program::describe() const {
  const char* names[] = {"load of ", "decoding load of ", "store of "};
  return names[static_cast<int>(access)] + c.describe() + ", components of " +
         std::to_string(bytes) + " bytes\n" + text;
}

Program randomProgram(Random& random) {
  Program program;
  program.workgroup = random.chance(25);
  program.bytes = random.of({1u, 2u, 4u});
  program.access = random.of({Access::Load, Access::Load, Access::Decode, Access::Store});
  program.block_words = random.between(1, 3);
  program.constants = random.chance(30);
  auto size = [&] { return 16 * (random.chance(60) ? 1 : random.between(1, 4)); };
  const uint32_t rows = size();
  program.c = randomCase(random, rows, size(), program.access != Access::Store);
  Writer(program).write();
  return program;
}

uint32_t decoded(const Program& program, uint32_t word, const Element& element) {
  for (uint32_t dim = 0; dim < program.c.layout.dimensions; ++dim)
    word += element.block[dim] * blockWeight(dim) + element.in_block[dim] * inBlockWeight(dim);
  return word;
}

}  // namespace tensors
