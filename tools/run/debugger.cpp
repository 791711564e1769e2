// SPDX-License-Identifier: Apache-2.0

#include "tools/run/debugger.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <set>

namespace run {
namespace {

namespace fs = std::filesystem;

// Where gdb finds the shaders' text: debug information has their names alone.
std::set<fs::path> foldersOf(const Options& options) {
  std::set<fs::path> folders;
  for (const fs::path file : options.files)
    folders.insert(fs::weakly_canonical(fs::is_directory(file) ? file : file.parent_path() / "."));
  return folders;
}

}  // namespace

void runInDebugger(const Options& options) {
  setenv("TESSERA_DEBUG", "1", 1);
  setenv("TESSERA_THREADS", "1", 0);
  const fs::path program = fs::read_symlink("/proc/self/exe");
  const fs::path tree = program.parent_path().parent_path();
  std::vector<std::string> arguments = {"gdb", "-iex", "set breakpoint pending on", "-iex",
                                        "add-auto-load-safe-path " + tree.string()};
  for (const fs::path& folder : foldersOf(options)) {
    arguments.emplace_back("-iex");
    arguments.push_back("directory \"" + folder.string() + "\"");
  }
  // gdb loads it with the driver, too, but then there are no commands before the program runs.
  for (const char* extension : {TESSERA_GDB_EXTENSION_BUILT, TESSERA_GDB_EXTENSION_INSTALLED}) {
    if (!fs::exists(tree / extension)) continue;
    arguments.emplace_back("-x");
    arguments.push_back((tree / extension).string());
    break;
  }
  arguments.insert(arguments.end(), options.debugger.begin(), options.debugger.end());
  arguments.emplace_back("--args");
  arguments.push_back(program.string());
  arguments.insert(arguments.end(), options.debugged.begin(), options.debugged.end());

  std::vector<char*> pointers;
  pointers.reserve(arguments.size() + 1);
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  execvp(pointers.front(), pointers.data());
  if (errno == ENOENT) throw UsageError("--debug needs gdb, which is not installed");
  throw UsageError(std::string("--debug cannot run gdb: ") + std::strerror(errno));
}

}  // namespace run
