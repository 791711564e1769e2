// SPDX-License-Identifier: Apache-2.0

#include "bench/worker_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <stdexcept>

namespace bench {

WorkerProcess::WorkerProcess(const std::vector<std::string>& arguments,
                             const std::map<std::string, std::string>& environment,
                             const std::string& runner) {
  std::signal(SIGPIPE, SIG_IGN);  // a dead child is an error that ask() reports
  std::array<int, 2> to, from;
  // Closed in every child but the one they are given to.
  if (pipe2(to.data(), O_CLOEXEC) != 0 || pipe2(from.data(), O_CLOEXEC) != 0) {
    throw std::runtime_error("no pipe for a worker process");
  }
  std::vector<std::string> variables;
  for (char** variable = environ; *variable; ++variable) {
    const std::string text = *variable;
    if (!environment.contains(text.substr(0, text.find('=')))) variables.push_back(text);
  }
  for (const auto& [name, value] : environment) variables.push_back(name + "=" + value);
  std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  std::string program = runner.empty() ? self : runner;
  std::vector<std::string> words = arguments;
  std::vector<char*> argv{program.data()}, envp;
  if (!runner.empty()) argv.push_back(self.data());
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  for (std::string& variable : variables) envp.push_back(variable.data());
  envp.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, to[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, from[1], STDOUT_FILENO);
  const int status =
      posix_spawn(&process_, program.c_str(), &actions, nullptr, argv.data(), envp.data());
  posix_spawn_file_actions_destroy(&actions);
  close(to[0]);
  close(from[1]);
  to_ = fdopen(to[1], "w");
  from_ = fdopen(from[0], "r");
  if (status != 0) {
    process_ = -1;
    throw std::runtime_error("no worker process could be started");
  }
}

WorkerProcess::~WorkerProcess() {
  std::fclose(to_);
  std::fclose(from_);
  if (process_ > 0) waitpid(process_, nullptr, 0);
}

std::string WorkerProcess::ask(const std::string& line) {
  std::fputs((line + "\n").c_str(), to_);
  std::fflush(to_);
  return read();
}

std::string WorkerProcess::read() {
  std::string answer;
  for (int c; (c = std::fgetc(from_)) != EOF;) {
    if (c == '\n') return answer;
    answer += static_cast<char>(c);
  }
  throw std::runtime_error("the worker process died");
}

void serve(const std::function<std::string(const std::string&)>& answer) {
  for (std::string line; std::getline(std::cin, line);)
    std::cout << answer(line) << '\n' << std::flush;
}

}  // namespace bench
