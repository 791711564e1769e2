// SPDX-License-Identifier: Apache-2.0

// tessera_demo: matrix products written in GLSL with GL_KHR_cooperative_matrix, through the
// system's Vulkan loader: device, speed, share of the processor's peak, and whether the result is
// right.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "bench/gemm/gemm.h"
#include "bench/peak.h"
#include "bench/progress.h"
#include "bench/timing.h"

namespace {

constexpr char kUsage[] =
    R"(usage: tessera_demo [--device TEXT] [--seconds S] [SIZE | M N K]

Multiplies an M x K by a K x N matrix (default 1024 1024 1024) with three GLSL shaders on a Vulkan
device and checks every element against a product in double precision.

  --device TEXT  the first device whose name or driver contains TEXT (default: Tessera)
  --seconds S    how long each row is timed (default 0.5)

The forms "1 tile" and "4x4 tiles" need whole tiles, as in real clients: their matrices are padded
with zeros to multiples of 16 and 64. "staged" takes any size as it is. Speeds count 2*M*N*K
operations. VK_DRIVER_FILES selects the driver; TESSERA_ISA, TESSERA_THREADS set it up.

Exit status: 0 all right, 1 a wrong result or a failure, 2 wrong usage.
)";

struct Options {
  bench::GemmSize size;
  std::string device;
  double seconds = 0.5;
};

[[noreturn]] void failUsage() {
  std::fputs(kUsage, stderr);
  std::exit(2);
}

Options parseOptions(int argc, char** argv) {
  Options options;
  std::vector<uint32_t> numbers;
  for (int k = 1; k < argc; ++k) {
    const std::string argument = argv[k];
    if (argument == "--help") {
      std::fputs(kUsage, stdout);
      std::exit(0);
    }
    if (argument == "--device" && k + 1 < argc) {
      options.device = argv[++k];
    } else if (argument == "--seconds" && k + 1 < argc) {
      options.seconds = std::strtod(argv[++k], nullptr);
    } else {
      char* end = nullptr;
      const unsigned long number = std::strtoul(argument.c_str(), &end, 10);
      if (*end != 0 || number == 0 || number > 65536) failUsage();
      numbers.push_back(static_cast<uint32_t>(number));
    }
  }
  if (numbers.size() == 1) {
    options.size = {numbers[0], numbers[0], numbers[0]};
  } else if (numbers.size() == 3) {
    options.size = {numbers[0], numbers[1], numbers[2]};
  } else if (!numbers.empty()) {
    failUsage();
  }
  return options;
}

constexpr bench::GemmType kTypes[] = {bench::GemmType::F16, bench::GemmType::Bf16,
                                      bench::GemmType::S8};

// Prints the row; true when the result is right.
bool runRow(const host::Device& device, const bench::GemmData& data, bench::GemmForm form,
            const bench::Peak& peak, double seconds) {
  const char* type = data.info().name;
  bench::GemmOptions options;
  options.form = form;
  const std::string what = std::string(bench::gemmFormName(form)) + ", " + type;
  auto pipeline = [&] {
    const bench::Progress progress(what + ": compiling");
    return std::make_unique<bench::Gemm>(device, data, options);
  }();
  const bench::Gemm& gemm = *pipeline;
  const bench::GemmError error = [&] {
    const bench::Progress progress(what + ": first run");
    gemm.run();
    return gemm.check();
  }();
  const bench::Progress progress(what + ": timing");

  std::vector<double> times, rates;
  const double end = bench::wallSeconds() + seconds;
  do {
    const bench::Block block = bench::measureBlock(bench::kShortestBlock, [&] { gemm.run(); });
    times.push_back(block.wall / block.runs);
    rates.push_back(data.size().operations() * block.runs / block.cpu);
  } while (bench::wallSeconds() < end);
  const double time = bench::median(times), per_core = bench::median(rates);
  char share[16] = "-";
  if (peak.operations_per_second > 0) {
    std::snprintf(share, sizeof(share), "%.1f %%", 100 * per_core / peak.operations_per_second);
  }
  std::printf("%-10s  %-9s  %-15s  %9.3f  %8.1f  %8.1f  %7s  %9.3g  %s\n",
              bench::gemmFormName(form), type, data.size().describe().c_str(), time * 1e3,
              data.size().operations() / time * 1e-9, per_core * 1e-9, share, error.largest,
              error.good ? "right" : "WRONG");
  std::fflush(stdout);
  return error.good;
}

int runDemo(const Options& options) {
  host::Instance instance;
  const host::PhysicalDevice& physical = instance.choose(options.device);
  std::printf("Device: %s\n", physical.describe().c_str());
  const auto device = bench::makeGemmDevice(instance, physical);

  std::map<bench::GemmType, bench::Peak> peaks;
  for (bench::GemmType type : kTypes) {
    const bench::Peak peak = bench::measurePeak(bench::gemmTypeInfo(type).peak, 0.1);
    std::printf("%s%s\n", peaks.empty() ? "Peak of one core: " : "                  ",
                peak.describe().c_str());
    peaks[type] = peak;
  }
#if defined(__x86_64__)
  if (!__builtin_cpu_supports("avx512f")) {
    std::printf("This processor has no AVX-512: the driver and the peaks use what there is.\n");
  }
#endif
  std::printf("\n%-10s  %-9s  %-15s  %9s  %8s  %8s  %7s  %9s\n", "form", "type", "M x N x K",
              "time, ms", "Gop/s", "per core", "of peak", "max error");
  bool good = true, any = false;
  const unsigned threads = std::max(1u, std::thread::hardware_concurrency());
  for (bench::GemmType type : kTypes) {
    const char* name = bench::gemmTypeInfo(type).name;
    std::vector<bench::GemmForm> forms;
    for (bench::GemmForm form : bench::kGemmForms) {
      const std::string missing = bench::findMissing(*device, type, form);
      if (missing.empty())
        forms.push_back(form);
      else
        std::printf("%-10s  %-9s  not run: the device has %s\n", bench::gemmFormName(form), name,
                    missing.c_str());
    }
    if (forms.empty()) continue;
    any = true;
    const bench::GemmData data = [&] {
      const bench::Progress progress(std::string("reference product for ") + name);
      return bench::GemmData(type, options.size, 1, threads);
    }();
    for (bench::GemmForm form : forms) {
      good &= runRow(*device, data, form, peaks.at(type), options.seconds);
    }
  }
  if (!any) {
    std::printf("The device has none of the cooperative matrices that the demo needs.\n");
    return 1;
  }
  std::printf("\n%s\n", good ? "All results are right." : "There are WRONG results.");
  return good ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = parseOptions(argc, argv);
  try {
    return runDemo(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tessera_demo: %s\n", error.what());
    return 1;
  }
}
