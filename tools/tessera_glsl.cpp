// SPDX-License-Identifier: Apache-2.0

// tessera-glsl: GLSL compute shaders to SPIR-V, by the glslang that the tests are compiled with.
// Those of distributions are often older than the extensions for cooperative matrices.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/support/shader_compiler.h"

namespace {

constexpr char kUsage[] =
    R"(usage: tessera-glsl [options] FILE -o OUTPUT

Compiles a compute shader in GLSL to SPIR-V 1.6 for Vulkan 1.3.

  -o OUTPUT       where the module goes
  --vn NAME       write C instead: an array of this name, as with glslang
  -DNAME[=VALUE]  a macro
  -I FOLDER       where files lie that it includes; beside it unless said
  -O              with the optimisations of spirv-opt -O
  -g              with debug information and the source
  --help

Exit status: 0 compiled, 1 errors in the shader, 2 wrong usage, or a file cannot be read or written.
)";

struct Options {
  std::string input, output, variable;
  host::GlslOptions glsl;
};

[[noreturn]] void fail(const std::string& message, const char* more = "") {
  std::fprintf(stderr, "tessera-glsl: %s\n%s", message.c_str(), more);
  std::exit(2);
}

Options parseOptions(int argc, char** argv) {
  Options options;
  for (int k = 1; k < argc; ++k) {
    const std::string argument = argv[k];
    auto value = [&](size_t letters) -> std::string {
      if (argument.size() > letters && letters != 0) return argument.substr(letters);
      if (k + 1 >= argc) fail(argument + " needs a value", kUsage);
      return argv[++k];
    };
    if (argument == "--help") {
      std::fputs(kUsage, stdout);
      std::exit(0);
    } else if (argument == "--vn") {
      options.variable = value(0);
    } else if (argument.starts_with("-o")) {
      options.output = value(2);
    } else if (argument.starts_with("-I")) {
      options.glsl.include_folder = value(2);
    } else if (argument.starts_with("-D")) {
      const std::string define = value(2);
      const size_t equals = define.find('=');
      options.glsl.defines.emplace_back(
          define.substr(0, equals), equals == std::string::npos ? "1" : define.substr(equals + 1));
    } else if (argument == "-O") {
      options.glsl.optimize = true;
    } else if (argument == "-g") {
      options.glsl.debug_info = true;
    } else if (argument.starts_with("-")) {
      fail("no option " + argument, kUsage);
    } else if (options.input.empty()) {
      options.input = argument;
    } else {
      fail("one file at a time: " + options.input + " and " + argument, kUsage);
    }
  }
  if (options.input.empty() || options.output.empty()) fail("FILE and -o OUTPUT", kUsage);
  if (!options.glsl.include_folder)
    options.glsl.include_folder = std::filesystem::path(options.input).parent_path();
  return options;
}

std::string asArray(const std::string& variable, const std::vector<uint32_t>& words) {
  std::string text = "#include <stdint.h>\nstatic const uint32_t " + variable + "[] = {";
  for (size_t k = 0; k < words.size(); ++k) {
    char word[16];
    std::snprintf(word, sizeof word, "0x%08x,", words[k]);
    text += (k % 8 == 0 ? "\n  " : " ") + std::string(word);
  }
  return text + "\n};\n";
}

}  // namespace

int main(int argc, char** argv) try {
  const Options options = parseOptions(argc, argv);
  std::ifstream input(options.input, std::ios::binary);
  const std::string source{std::istreambuf_iterator<char>(input), {}};
  if (!input || source.empty()) fail("cannot read " + options.input + ", or it is empty");
  const std::vector<uint32_t> words = host::compileGlsl(source, options.input, options.glsl);
  std::ofstream output(options.output, std::ios::binary);
  if (options.variable.empty()) {
    output.write(reinterpret_cast<const char*>(words.data()), std::streamsize(words.size() * 4));
  } else {
    output << asArray(options.variable, words);
  }
  if (!output.flush()) fail("cannot write " + options.output);
  return 0;
} catch (const host::ShaderError& error) {
  std::fprintf(stderr, "%s", error.what());
  return 1;
} catch (const std::exception& error) {
  fail(error.what());
}
