// SPDX-License-Identifier: Apache-2.0

#include "tools/job_pool.h"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

namespace tools {
namespace {

constexpr size_t kMaxText = 64 * 1024;

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

// The child's side: numbers of jobs come in, texts go out, one message each.
[[noreturn]] void serve(int socket, const std::function<JobPool::Job()>& start) {
  JobPool::Job job = start();
  uint64_t number;
  while (recv(socket, &number, sizeof(number), 0) == sizeof(number)) {
    std::string text = job(number).substr(0, kMaxText);
    text += '\0';  // a message without bytes would look like the end
    if (send(socket, text.data(), text.size(), 0) < 0) break;
  }
  _exit(0);
}

// That a process has had, all its threads together.
double processorSeconds(pid_t process) {
  clockid_t clock;
  timespec time{};
  if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0) return 0;
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// A child and the job that it does.
class Worker {
 public:
  explicit Worker(const std::function<JobPool::Job()>& start) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) fail("socketpair");
    process_ = fork();
    if (process_ < 0) fail("fork");
    if (process_ == 0) {
      close(ends[0]);
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      serve(ends[1], start);
    }
    close(ends[1]);
    socket_ = ends[0];
  }
  Worker(Worker&& other) noexcept
      : process_(std::exchange(other.process_, -1)),
        socket_(std::exchange(other.socket_, -1)),
        job_(other.job_),
        begun_(other.begun_),
        processor_seconds_before_(other.processor_seconds_before_) {}
  Worker& operator=(Worker&& other) noexcept {
    std::swap(process_, other.process_);
    std::swap(socket_, other.socket_);
    std::swap(job_, other.job_);
    std::swap(begun_, other.begun_);
    std::swap(processor_seconds_before_, other.processor_seconds_before_);
    return *this;
  }
  ~Worker() {
    // It waits for jobs, and would not see the socket close: later children have it open, too.
    if (process_ > 0) {
      ::kill(process_, SIGKILL);
      waitpid(process_, nullptr, 0);
    }
    if (socket_ >= 0) close(socket_);
  }

  int socket() const { return socket_; }
  bool busy() const { return job_.has_value(); }
  bool isLate(double time_limit) const {
    return seconds() >= time_limit || secondsSince(begun_) >= JobPool::kSleepFactor * time_limit;
  }

  void give(uint64_t job) {
    job_ = job;
    begun_ = Clock::now();
    processor_seconds_before_ = processorSeconds(process_);
    // A child that has died shows when the answer is read.
    (void)send(socket_, &job, sizeof(job), MSG_NOSIGNAL);
  }

  // The end of the current job. If it is not `Returned` the child is gone.
  JobResult receive() {
    JobResult result{*job_, JobResult::End::Returned, std::string(kMaxText + 1, '\0'), seconds()};
    ssize_t bytes = recv(socket_, result.text.data(), result.text.size(), 0);
    if (bytes > 0) {
      result.text.resize(size_t(bytes) - 1);
    } else {
      result.end = JobResult::End::Crashed;
      result.text = end();
    }
    job_.reset();
    return result;
  }

  JobResult kill() {
    JobResult result{*job_, JobResult::End::Hung, "", seconds()};
    ::kill(process_, SIGKILL);
    end();
    job_.reset();
    return result;
  }

 private:
  // Of a child that has died, too, until it is waited for.
  double seconds() const { return processorSeconds(process_) - processor_seconds_before_; }

  std::string end() {
    int status = 0;
    waitpid(std::exchange(process_, -1), &status, 0);
    if (WIFSIGNALED(status)) return strsignal(WTERMSIG(status));
    return "exit with status " + std::to_string(WEXITSTATUS(status));
  }

  pid_t process_ = -1;
  int socket_ = -1;
  std::optional<uint64_t> job_;
  Clock::time_point begun_;
  double processor_seconds_before_ = 0;
};

}  // namespace

void JobPool::run(uint64_t count, const std::function<Job()>& start,
                  const std::function<void(const JobResult&)>& report) const {
  std::vector<Worker> workers;
  uint64_t next = 0;
  for (uint64_t k = 0; k < std::min<uint64_t>(processes, count); ++k) {
    workers.emplace_back(start).give(next++);
  }
  for (uint64_t finished = 0; finished < count;) {
    std::vector<pollfd> sockets;
    for (const Worker& worker : workers) {
      sockets.push_back({worker.busy() ? worker.socket() : -1, POLLIN, 0});
    }
    constexpr int kMilliseconds = 50;
    if (poll(sockets.data(), sockets.size(), kMilliseconds) < 0 && errno != EINTR) fail("poll");
    for (size_t k = 0; k < workers.size(); ++k) {
      Worker& worker = workers[k];
      if (!worker.busy()) continue;
      bool answered = sockets[k].revents != 0;
      if (!answered && !worker.isLate(time_limit)) continue;
      JobResult result = answered ? worker.receive() : worker.kill();
      report(result);
      ++finished;
      if (next == count) continue;
      if (result.end != JobResult::End::Returned) worker = Worker(start);
      worker.give(next++);
    }
  }
}

}  // namespace tools
