// SPDX-License-Identifier: Apache-2.0

#include "bench/gemm/gemm_worker.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "bench/gemm/library.h"

namespace bench {
namespace {

// The sides talk in lines: "prepare TYPE FORM STAGE STRIDE REVERSED M N K PATH" is answered by
// "missing WHY", "1 RESULT" or, of a wrong or failed one, "0 RESULT", "block SECONDS" by "RUNS WALL
// CPU".
class Multiplier {
 public:
  virtual ~Multiplier() = default;
  virtual std::string describe() const = 0;
  // Returns what is missing, or nothing.
  virtual std::string prepare(const GemmData& data, const GemmOptions& options) = 0;
  virtual void run() = 0;
  virtual GemmError check() const = 0;
  virtual std::string implementation() const { return ""; }
};

class DeviceMultiplier : public Multiplier {
 public:
  explicit DeviceMultiplier(const std::string& device)
      : physical_(instance_.choose(device)), device_(makeGemmDevice(instance_, physical_)) {}

  std::string describe() const override { return physical_.describe(); }
  std::string prepare(const GemmData& data, const GemmOptions& options) override {
    gemm_.reset();
    std::string missing = findMissing(*device_, data.type(), options.form);
    if (missing.empty()) gemm_ = std::make_unique<Gemm>(*device_, data, options);
    return missing;
  }
  void run() override { gemm_->run(); }
  GemmError check() const override { return gemm_->check(); }

 private:
  host::Instance instance_;
  const host::PhysicalDevice& physical_;
  std::unique_ptr<host::Device> device_;
  std::unique_ptr<Gemm> gemm_;
};

class LibraryMultiplier : public Multiplier {
 public:
  explicit LibraryMultiplier(const std::string& name)
      : library_(name == "oneDNN" ? openOneDnn() : openOpenBlas()) {}

  std::string describe() const override { return library_->describe(); }
  std::string prepare(const GemmData& data, const GemmOptions&) override {
    return library_->prepare(data);
  }
  void run() override { library_->run(); }
  GemmError check() const override { return library_->check(); }
  std::string implementation() const override { return library_->implementation(); }

 private:
  std::unique_ptr<Library> library_;
};

class Server {
 public:
  explicit Server(std::unique_ptr<Multiplier> multiplier) : multiplier_(std::move(multiplier)) {}

  std::string answer(const std::string& line) {
    std::istringstream words(line);
    std::string command;
    words >> command;
    std::ostringstream reply;
    if (command == "prepare") {
      int type, form;
      GemmOptions options;
      GemmSize size;
      std::string path;
      words >> type >> form >> options.stage_k >> options.extra_stride >>
          options.reversed_bindings >> size.m >> size.n >> size.k >> path;
      options.form = static_cast<GemmForm>(form);
      return prepare(std::make_unique<GemmData>(static_cast<GemmType>(type), size, path), options);
    } else if (command == "block") {
      double seconds;
      words >> seconds;
      const Block block = measureBlock(seconds, [&] { multiplier_->run(); });
      reply << block.runs << " " << block.wall << " " << block.cpu;
    }
    return reply.str();
  }

 private:
  std::string prepare(std::unique_ptr<GemmData> data, const GemmOptions& options) {
    try {
      const std::string missing = multiplier_->prepare(*data, options);
      // The last product looked at its data until now.
      data_ = std::move(data);
      if (!missing.empty()) return "missing " + missing;
      multiplier_->run();
    } catch (const std::exception& error) {
      std::string reason = error.what();
      std::replace(reason.begin(), reason.end(), '\n', ' ');
      return "0 " + reason;
    }
    const GemmError error = multiplier_->check();
    std::ostringstream reply;
    reply << error.good << " largest error " << error.largest;
    const std::string implementation = multiplier_->implementation();
    if (!implementation.empty()) reply << ", " << implementation;
    return reply.str();
  }

  std::unique_ptr<GemmData> data_;
  std::unique_ptr<Multiplier> multiplier_;  // after its data: it goes before them
};

std::unique_ptr<Multiplier> makeMultiplier(const std::string& kind, const std::string& name) {
  if (kind == "--library") return std::make_unique<LibraryMultiplier>(name);
  return std::make_unique<DeviceMultiplier>(name);
}

std::vector<std::string> workerArguments(std::vector<std::string> how) {
  how.insert(how.begin(), "--worker");
  return how;
}

}  // namespace

GemmWorker::GemmWorker(std::vector<std::string> how,
                       const std::map<std::string, std::string>& environment,
                       const std::string& runner)
    : process_(workerArguments(std::move(how)), environment, runner) {
  // The first line says what it is, or why it is not.
  const std::string line = process_.read();
  (line.starts_with("+") ? description_ : missing_) = line.substr(1);
}

GemmWorker::Prepared GemmWorker::prepare(const GemmRow& row, const GemmData& data) {
  std::ostringstream command;
  command << "prepare " << static_cast<int>(row.type) << " " << static_cast<int>(row.options.form)
          << " " << row.options.stage_k << " " << row.options.extra_stride << " "
          << row.options.reversed_bindings << " " << row.size.m << " " << row.size.n << " "
          << row.size.k << " " << data.path();
  const std::string line = process_.ask(command.str());
  Prepared prepared;
  if (const std::string word = "missing "; line.starts_with(word)) {
    prepared.missing = line.substr(word.size());
  } else {
    prepared.good = line.starts_with("1");
    prepared.result = line.substr(2);
  }
  return prepared;
}

Block GemmWorker::block() {
  // Twice the shortest block: the first run after a pause warms up.
  std::istringstream reply(process_.ask("block " + std::to_string(2 * kShortestBlock)));
  Block block;
  reply >> block.runs >> block.wall >> block.cpu;
  if (block.runs == 0) throw std::runtime_error("a worker process gave no measurement");
  return block;
}

bool serveGemm(int argc, char** argv) {
  if (argc != 4 || std::string(argv[1]) != "--worker") return false;
  std::unique_ptr<Server> server;
  std::string first;
  try {
    std::unique_ptr<Multiplier> multiplier = makeMultiplier(argv[2], argv[3]);
    first = "+" + multiplier->describe();
    server = std::make_unique<Server>(std::move(multiplier));
  } catch (const std::exception& error) {
    first = std::string("-") + error.what();
  }
  std::printf("%s\n", first.c_str());
  std::fflush(stdout);
  if (server) serve([&](const std::string& line) { return server->answer(line); });
  return true;
}

}  // namespace bench
