// SPDX-License-Identifier: Apache-2.0

#include "tools/run/options.h"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <optional>

#include "tests/support/kernel_grammar.h"
#include "tests/support/lexer.h"
#include "tools/run/output.h"

namespace run {
namespace {

constexpr char kUsage[] =
    R"(usage: tessera-run [options] FILE...

Runs compute shaders through the system's Vulkan loader, without a program around them. A FILE is a
kernel file (.comp, .spvasm; tests/kernels/README.md describes them), whose comments say on what it
runs and what must come out, a module (.spv), directives alone that name one (.kernel), or the
folder of a captured dispatch (TESSERA_CAPTURE).
VK_DRIVER_FILES selects the driver.

What runs:
  --with DIRECTIVE   one more directive, behind those of the file: "buffer a f32[64] binding 0 = i"
  --variant NAME     only this variant of the file
  --device TEXT      the first device whose name or driver contains TEXT
  --time N           run the dispatches N times more, print median wall and CPU time

What comes out (after the run; several are possible):
  --dump NAME        print this buffer; "all": every one
  --save NAME[:ROWSxCOLUMNS]=PATH
                     write a buffer: PATH ends in .npy, .bin (bytes), .txt (a table) or .png (a picture).
                     NAME-OTHER is what it has more than buffer OTHER, NAME-compared more than the
                     same one with the driver of --compare
  --spirv PATH       write the module of the (last) variant to PATH

Beside another driver:
  --compare ICD      run the same with the driver of this manifest, print where results differ first
  --within TOLERANCE that far they may: "1e-5 rel", "2 ulp or 1e-6 abs"

Of the Tessera driver (variables of the environment, too):
  --isa NAME         TESSERA_ISA: instruction set
  --threads N        TESSERA_THREADS
  --check NAMES      TESSERA_CHECK: checks while the shader runs, separated by commas
  --remarks          TESSERA_LOG=remark: what was not made fast
  --code FOLDER      TESSERA_DUMP: SPIR-V, LLVM IR and machine code of each pipeline

In gdb (docs/debugging.md):
  --debug            run in gdb, which stops in shaders: TESSERA_DEBUG=1, and TESSERA_THREADS=1 unless
                     that is set. What stands behind "--" are arguments of gdb: -- -x FILE

Instead of running:
  --list             list the files' variants
  --modules FOLDER   write the module of every variant to FOLDER
  --matrices         list the device's cooperative matrix multiplications
  --help

Exit status: 0 all passed or skipped, 1 something failed or differs, 2 wrong usage, or a file that
cannot be read or has a mistake. Where the driver's checks found what no "finding" line of the file
expects: how many findings, at most 125.
)";

std::string quoted(const std::string& text) { return "'" + text + "'"; }

uint64_t number(const std::string& text, const std::string& what) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value == 0)
    throw UsageError(quoted(text) + " is no number of " + what + ", which is 1 or more");
  return value;
}

// NAME[-OTHER][:ROWSxCOLUMNS]=PATH
Output outputOf(const std::string& text) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    throw UsageError("--save " + text + ": expected NAME=PATH or NAME:ROWSxCOLUMNS=PATH");
  Output output;
  output.path = text.substr(equals + 1);
  std::string name = text.substr(0, equals);
  if (const size_t colon = name.find(':'); colon != std::string::npos) {
    const std::string shape = name.substr(colon + 1);
    const size_t by = shape.find('x');
    if (by == std::string::npos)
      throw UsageError("--save " + text + ": expected rows and columns, such as 64x32");
    output.shape = {number(shape.substr(0, by), "rows"), number(shape.substr(by + 1), "columns")};
    name.resize(colon);
  }
  const size_t minus = name.find('-');
  output.buffer = name.substr(0, minus);
  if (minus != std::string::npos) output.minus = name.substr(minus + 1);
  checkOutput(output.path);
  return output;
}

// Parses what stands behind "within".
class ToleranceGrammar : kernels::KernelGrammar {
 public:
  kernels::Tolerance operator()(const std::string& text) {
    try {
      kernels::Lexer lexer("within " + text, "--within");
      const kernels::Tolerance parsed = tolerance(lexer);
      lexer.expectEnd();
      return parsed;
    } catch (const kernels::FormatError& error) {
      throw UsageError(error.what());
    }
  }
};

void checkTogether(const Options& options) {
  const int instead = static_cast<int>(options.list) + static_cast<int>(options.matrices) +
                      static_cast<int>(!options.modules.empty());
  if (instead > 1)
    throw UsageError("of --list, --modules and --matrices only one is done at a time");
  const bool runs = options.timed_runs != 0 || !options.dump.empty() || !options.outputs.empty() ||
                    !options.compared.empty() || !options.spirv.empty();
  if (instead != 0 && runs)
    throw UsageError(
        "--list, --modules and --matrices run nothing, so that --time, --dump, --save, --spirv and "
        "--compare have nothing to say");
  if (instead != 0 && options.debug)
    throw UsageError(
        "--list, --modules and --matrices run nothing, so that --debug has nothing to stop in");
  if (!options.debugger.empty() && !options.debug)
    throw UsageError("what stands behind -- is for gdb, which --debug runs");
  if (options.files.empty() && !options.matrices)
    throw UsageError("no file to run; --help shows what can be done");
  if (options.compared.empty()) {
    if (options.tolerance.absolute != 0 || options.tolerance.relative != 0 ||
        options.tolerance.ulp != 0)
      throw UsageError("--within says how far results of --compare may differ, which is not given");
    for (const Output& output : options.outputs)
      if (output.minus == kCompared)
        throw UsageError("--save " + output.buffer + "-" + kCompared +
                         " needs --compare, which says with what");
  } else if (!std::filesystem::is_regular_file(options.compared)) {
    throw UsageError("--compare " + options.compared +
                     ": no such file; it is the driver's manifest, as in VK_DRIVER_FILES");
  }
}

}  // namespace

Options parseOptions(int argc, char** argv) {
  Options options;
  using Handler = std::function<void(const std::string&)>;
  auto variable = [&](const char* name) -> Handler {
    return
        [&options, name](const std::string& value) { options.variables.emplace_back(name, value); };
  };
  auto text = [](std::string& option) -> Handler {
    return [&option](const std::string& value) { option = value; };
  };
  const std::map<std::string, Handler> with_value = {
      {"--with", [&](const std::string& value) { options.directives.push_back(value); }},
      {"--variant", text(options.variant)},
      {"--device", text(options.device)},
      {"--dump", text(options.dump)},
      {"--spirv", text(options.spirv)},
      {"--modules", text(options.modules)},
      {"--compare", text(options.compared)},
      {"--time",
       [&](const std::string& value) {
         options.timed_runs = static_cast<uint32_t>(number(value, "runs"));
       }},
      {"--save", [&](const std::string& value) { options.outputs.push_back(outputOf(value)); }},
      {"--within",
       [&](const std::string& value) { options.tolerance = ToleranceGrammar()(value); }},
      {"--isa", variable("TESSERA_ISA")},
      {"--threads", variable("TESSERA_THREADS")},
      {"--check", variable("TESSERA_CHECK")},
      {"--code", variable("TESSERA_DUMP")}};
  const std::map<std::string, std::function<void()>> alone = {
      {"--list", [&] { options.list = true; }},
      {"--matrices", [&] { options.matrices = true; }},
      {"--debug", [&] { options.debug = true; }},
      {"--remarks", [&] { options.variables.emplace_back("TESSERA_LOG", "remark"); }},
      {"--help", [] {
         std::fputs(kUsage, stdout);
         std::exit(0);
       }}};
  for (int k = 1; k < argc; ++k) {
    std::string argument = argv[k];
    if (argument == "--") {
      options.debugger.assign(argv + k + 1, argv + argc);
      break;
    }
    const int first = k;
    std::optional<std::string> value;
    if (argument.starts_with("--"))
      if (const size_t equals = argument.find('='); equals != std::string::npos) {
        value = argument.substr(equals + 1);
        argument.resize(equals);
      }
    if (const auto found = with_value.find(argument); found != with_value.end()) {
      if (!value && k + 1 >= argc) throw UsageError(argument + " needs a value; --help says which");
      found->second(value ? *value : argv[++k]);
    } else if (const auto flag = alone.find(argument); flag != alone.end()) {
      if (value) throw UsageError(argument + " takes no value");
      flag->second();
    } else if (argument.starts_with("-")) {
      throw UsageError("no option " + argument + "; --help shows all");
    } else {
      options.files.push_back(argument);
    }
    if (argument != "--debug")
      options.debugged.insert(options.debugged.end(), argv + first, argv + k + 1);
  }
  checkTogether(options);
  return options;
}

}  // namespace run
