// gemm_bench: the speed of matrix products as shares of the processor's peak, and of two cores
// against one. bench/README.md says how it is measured.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "bench/gemm/gemm.h"
#include "bench/peak.h"
#include "bench/timing.h"
#include "bench/worker_process.h"

namespace {

constexpr char kUsage[] =
    R"(usage: gemm_bench [--quick] [--pairs N] [--device TEXT]

  --quick        only the rows that have a target
  --pairs N      interleaved pairs for each row (default and least 10)
  --device TEXT  the first device whose name or driver contains TEXT (default: Tessera)

Exit status: 0 results right, 1 a wrong result or a failure, 2 wrong usage. Missed targets are
printed; they do not change the status.
)";

struct Row {
  bench::GemmType type;
  bench::GemmOptions options;
  bench::GemmSize size;
  double target;  // share of the peak per core; 0: none
};

std::vector<Row> makeRows(bool quick) {
  using bench::GemmForm, bench::GemmType;
  const std::map<GemmType, double> targets = {
      {GemmType::F16, 0.45}, {GemmType::Bf16, 0.40}, {GemmType::S8, 0.35}};
  const std::map<GemmType, double> workgroup_targets = {{GemmType::F16, 0.60},
                                                        {GemmType::Bf16, 0.55}};
  std::vector<Row> rows;
  for (GemmType type : bench::kGemmTypes) {
    rows.push_back({type, {GemmForm::Blocked, 0, false}, {1024, 1024, 1024}, targets.at(type)});
  }
  for (const auto& [type, target] : workgroup_targets) {
    for (GemmForm form : {GemmForm::WideWorkgroup, GemmForm::SquareWorkgroup}) {
      for (uint32_t size : {1024u, 2048u, 4096u})
        rows.push_back({type, {form, 0, false}, {size, size, size}, target});
    }
  }
  if (quick) return rows;
  for (GemmType type : bench::kGemmTypes) {
    rows.push_back({type, {GemmForm::Blocked, 0, false}, {1000, 1016, 1040}, 0});
    rows.push_back({type, {GemmForm::Blocked, 48, true}, {1024, 1024, 1024}, 0});
    rows.push_back({type, {GemmForm::Blocked, 0, false}, {2048, 2048, 2048}, 0});
    rows.push_back({type, {GemmForm::OneTile, 0, false}, {1024, 1024, 1024}, 0});
    rows.push_back({type, {GemmForm::Staged, 0, false}, {1024, 1024, 1024}, 0});
    rows.push_back({type, {GemmForm::Staged, 0, false}, {1000, 1016, 1040}, 0});
    rows.push_back({type, {GemmForm::WideWorkgroup, 0, false}, {1000, 1016, 1040}, 0});
    rows.push_back({type, {GemmForm::WideWorkgroup, 48, true}, {1024, 1024, 1024}, 0});
  }
  return rows;
}

// --- the worker: one device with its thread count, one product at a time

class Worker {
 public:
  explicit Worker(const std::string& device)
      : physical_(instance_.choose(device)), device_(bench::makeGemmDevice(instance_, physical_)) {}

  // "missing TYPE FORM", "prepare TYPE FORM EXTRA REVERSED M N K", "block SECONDS"
  std::string answer(const std::string& line) {
    std::istringstream words(line);
    std::string command;
    words >> command;
    std::ostringstream reply;
    if (command == "describe") {
      reply << physical_.describe();
    } else if (command == "missing") {
      int type, form;
      words >> type >> form;
      reply << bench::findMissing(*device_, static_cast<bench::GemmType>(type),
                                  static_cast<bench::GemmForm>(form));
    } else if (command == "prepare") {
      int type, form;
      bench::GemmOptions options;
      bench::GemmSize size;
      words >> type >> form >> options.extra_stride >> options.reversed_bindings >> size.m >>
          size.n >> size.k;
      options.form = static_cast<bench::GemmForm>(form);
      gemm_.reset();
      data_ = std::make_unique<bench::GemmData>(
          bench::makeGemmData(static_cast<bench::GemmType>(type), size, 7,
                              std::max(1u, std::thread::hardware_concurrency())));
      gemm_ = std::make_unique<bench::Gemm>(*device_, *data_, options);
      gemm_->run();
      const bench::GemmError error = gemm_->check();
      reply << error.good << " " << error.largest;
    } else if (command == "block") {
      double seconds;
      words >> seconds;
      const bench::Block block = bench::measureBlock(seconds, [&] { gemm_->run(); });
      reply << block.runs << " " << block.wall << " " << block.cpu;
    }
    return reply.str();
  }

 private:
  host::Instance instance_;
  const host::PhysicalDevice& physical_;
  std::unique_ptr<host::Device> device_;
  std::unique_ptr<bench::GemmData> data_;
  std::unique_ptr<bench::Gemm> gemm_;
};

// --- the parent

bench::Block askBlock(bench::WorkerProcess& worker) {
  // Twice the shortest block: the first run after a pause warms up.
  std::istringstream reply(worker.ask("block " + std::to_string(2 * bench::kShortestBlock)));
  bench::Block block;
  reply >> block.runs >> block.wall >> block.cpu;
  if (block.runs == 0) throw std::runtime_error("a worker process gave no measurement");
  return block;
}

bool prepare(bench::WorkerProcess& worker, const Row& row, std::string& error) {
  std::ostringstream command;
  command << "prepare " << static_cast<int>(row.type) << " " << static_cast<int>(row.options.form)
          << " " << row.options.extra_stride << " " << row.options.reversed_bindings << " "
          << row.size.m << " " << row.size.n << " " << row.size.k;
  std::istringstream reply(worker.ask(command.str()));
  bool good = false;
  reply >> good >> error;
  return good;
}

bench::PeakKind peakKind(bench::GemmType type) {
  switch (type) {
    case bench::GemmType::F16:
      return bench::PeakKind::F32;
    case bench::GemmType::Bf16:
      return bench::PeakKind::Bf16;
    case bench::GemmType::S8:
      break;
  }
  return bench::PeakKind::Int8;
}

// Measures one row and prints it; false when a result is wrong.
bool measureRow(const Row& row, int pairs, bench::WorkerProcess& one, bench::WorkerProcess& two) {
  const std::string missing = one.ask("missing " + std::to_string(static_cast<int>(row.type)) +
                                      " " + std::to_string(static_cast<int>(row.options.form)));
  const char* type = bench::gemmTypeInfo(row.type).name;
  std::string form = bench::gemmFormName(row.options.form);
  if (row.options.extra_stride != 0)
    form += ", stride +" + std::to_string(row.options.extra_stride);
  if (row.options.reversed_bindings) form += ", C B A";
  std::printf("%-28s %-9s %-15s", form.c_str(), type, row.size.describe().c_str());
  std::fflush(stdout);
  if (!missing.empty()) {
    std::printf(" not run: %s\n", missing.c_str());
    return true;
  }
  std::string error;
  if (!prepare(one, row, error) || !prepare(two, row, error)) {
    std::printf(" WRONG, largest error %s\n", error.c_str());
    return false;
  }
  std::vector<double> per_core, share, scaling;
  bool proven = true;
  for (int pair = 0; pair < pairs; ++pair) {
    const bench::Peak peak = bench::measurePeak(peakKind(row.type), 0.03);
    const bench::Block block_one = askBlock(one);
    const bench::Block block_two = askBlock(two);
    proven = proven && peak.proven();
    // Per core: from the run that has all its threads busy, as clients have.
    per_core.push_back(row.size.operations() * block_two.runs / block_two.cpu);
    if (peak.operations_per_second > 0)
      share.push_back(per_core.back() / peak.operations_per_second);
    scaling.push_back((block_two.runs / block_two.wall) / (block_one.runs / block_one.wall));
  }
  std::printf(" %8.1f %7.3f", bench::median(per_core) * 1e-9, bench::median(share));
  if (row.target > 0) {
    std::printf(" %6.2f %-6s", row.target, bench::median(share) >= row.target ? "met" : "MISSED");
  } else {
    std::printf(" %6s %-6s", "", "");
  }
  std::printf(" %5.2f  %s%s\n", bench::median(scaling), error.c_str(),
              proven ? "" : "  (a peak was not proven: busy machine)");
  std::fflush(stdout);
  return true;
}

int runBench(bool quick, int pairs, const std::string& device) {
  std::vector<std::string> arguments = {"--worker", device};
  bench::WorkerProcess one(arguments, {{"TESSERA_THREADS", "1"}});
  bench::WorkerProcess two(arguments, {{"TESSERA_THREADS", "2"}});
  std::printf("%s\n", two.ask("describe").c_str());
  for (bench::PeakKind kind :
       {bench::PeakKind::F32, bench::PeakKind::Bf16, bench::PeakKind::Int8}) {
    std::printf("peak of one core: %s\n", bench::measurePeak(kind, 0.1).describe().c_str());
  }
  double load = 0;
  if (getloadavg(&load, 1) == 1 && load > 1) {
    std::printf("load average %.1f: shares hold, wall times (2:1) do not\n", load);
  }
  std::printf(
      "\nGop/s per core (processor time), share of the peak, 2 threads against 1 (wall):\n"
      "medians of %d interleaved pairs, random inputs, checked before timing\n\n",
      pairs);
  std::printf("%-28s %-9s %-15s %8s %7s %6s %-6s %5s  %s\n", "form", "type", "M x N x K",
              "per core", "share", "target", "", "2:1", "max error");
  bool good = true;
  for (const Row& row : makeRows(quick)) good &= measureRow(row, pairs, one, two);
  return good ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  bool quick = false;
  int pairs = 10;
  std::string device;
  try {
    for (int k = 1; k < argc; ++k) {
      const std::string argument = argv[k];
      if (argument == "--worker" && k + 1 < argc) {
        Worker worker(argv[k + 1]);
        bench::serve([&](const std::string& line) { return worker.answer(line); });
        return 0;
      }
      if (argument == "--quick") {
        quick = true;
      } else if (argument == "--pairs" && k + 1 < argc) {
        pairs = std::max(10, std::atoi(argv[++k]));
      } else if (argument == "--device" && k + 1 < argc) {
        device = argv[++k];
      } else {
        std::fputs(kUsage, argument == "--help" ? stdout : stderr);
        return argument == "--help" ? 0 : 2;
      }
    }
    return runBench(quick, pairs, device);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "gemm_bench: %s\n", error.what());
    return 1;
  }
}
