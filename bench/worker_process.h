// SPDX-License-Identifier: Apache-2.0

// A child process of the same program that works on command: another process is the only way to
// have another thread count, cold caches or a clean processor time.
#pragma once

#include <cstdio>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <sys/types.h>

namespace bench {

class WorkerProcess {
 public:
  // Starts this program with `arguments`; `environment` is added to its own. A `runner` that is
  // not empty is started instead, with this program's path and the arguments. Throws
  // std::runtime_error.
  WorkerProcess(const std::vector<std::string>& arguments,
                const std::map<std::string, std::string>& environment,
                const std::string& runner = "");
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  // Sends one line and waits for one line. Throws std::runtime_error when the child has died.
  std::string ask(const std::string& line);
  // The next line that it prints.
  std::string read();

 private:
  pid_t process_ = -1;
  std::FILE* to_ = nullptr;
  std::FILE* from_ = nullptr;
};

// The child's side: answers each line of stdin with what `answer` gives, until stdin closes.
void serve(const std::function<std::string(const std::string&)>& answer);

}  // namespace bench
