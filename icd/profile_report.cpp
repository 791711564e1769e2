// SPDX-License-Identifier: Apache-2.0

#include "icd/profile_report.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <iterator>
#include <optional>
#include <utility>

#include "runtime/machine_peak.h"
#include "runtime/quantity.h"

namespace icd {

namespace {

template <typename... Values>
std::string text(const char* format, Values... values) {
  char text[160];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

// What all kinds of products of a pipeline make together.
struct Products {
  uint64_t multiply_adds = 0;
  double seconds_at_peak = 0;
  std::string peaks;         // of its kinds
  bool has_no_peak = false;  // some of them: no instruction does them at once
};

const char* kindName(rt::ProductKind kind) {
  switch (kind) {
    case rt::ProductKind::F32:
      return "f32";
    case rt::ProductKind::F64:
      return "f64";
    case rt::ProductKind::Bf16:
      return "bf16";
    case rt::ProductKind::Int8:
      return "int8";
    case rt::ProductKind::Other:
      break;
  }
  return "other";
}

// Three digits and more, of small rates too: "0.753 GFLOP/s", "5436.2 GFLOP/s".
std::string describeRate(double operations_per_second) {
  const double rate = operations_per_second * 1e-9;
  return text(rate < 10 ? "%.3f GFLOP/s" : "%.1f GFLOP/s", rate);
}

Products productsOf(const rt::KernelProfile& profile, rt::Isa isa, uint32_t threads) {
  Products products;
  for (size_t k = 0; k < rt::kProductKinds; ++k) {
    const auto kind = static_cast<rt::ProductKind>(k);
    const uint64_t count = profile.products.sum(kind);
    if (count == 0) continue;
    products.multiply_adds += count;
    const rt::MachinePeak peak = rt::machinePeak(kind, isa, threads);
    if (peak.instruction == nullptr) {
      products.has_no_peak = true;
      continue;
    }
    products.seconds_at_peak += 2 * static_cast<double>(count) / peak.operations_per_second;
    products.peaks += products.peaks.empty() ? "" : ", ";
    products.peaks += text("%s: %s, ", kindName(kind), peak.instruction) +
                      describeRate(peak.operations_per_second);
  }
  return products;
}

std::string describe(const Products& products, double seconds, uint32_t threads) {
  const double operations = 2 * static_cast<double>(products.multiply_adds);
  std::string result = text("%" PRIu64 " multiply-adds of matrices, ", products.multiply_adds) +
                       describeRate(operations / seconds);
  if (products.has_no_peak) return result + "; no peak is known of such products";
  return result + text(", %.1f %% of the peak (", 100 * products.seconds_at_peak / seconds) +
         products.peaks + text(" on %u thread%s)", threads, threads == 1 ? "" : "s");
}

// "remarks: 2 gather, 1 product-not-deferred"
std::string describe(const jit::RemarkCounts& remarks) {
  std::string names;
  for (size_t k = 0; k < remarks.size(); ++k) {
    if (remarks[k] == 0) continue;
    names += names.empty() ? "remarks: " : ", ";
    names += std::to_string(remarks[k]) + " " + std::string(jit::kRemarkRows[k].name);
  }
  return names.empty() ? "no remarks" : names;
}

}  // namespace

void ProfileReport::add(rt::KernelImage& image, const jit::Kernel& kernel, CodeOrigin origin,
                        uint64_t nanoseconds) {
  image.profile = std::make_shared<rt::KernelProfile>();
  std::lock_guard lock(mutex_);
  rows_.push_back({image.profile, image.name, origin, nanoseconds, kernel.remarks});
}

void ProfileReport::print(const Row& row, rt::Log& log, rt::Isa isa, uint32_t threads) {
  const rt::KernelProfile& profile = *row.profile;
  std::string name = profile.given_name.get();
  if (name.empty()) name = row.shader.empty() ? "a shader without a name" : row.shader;
  const auto print = [&](const std::string& line) { log.print("profile: " + name + ": " + line); };
  const uint64_t runs = profile.runs, wall = profile.wall_nanoseconds;
  print(std::to_string(runs) + (runs == 1 ? " run, " : " runs, ") +
        std::to_string(profile.workgroups.load()) + " workgroups, " + rt::describeTime(wall) +
        ", " + rt::describeTime(profile.cpu_nanoseconds) + " of CPU" +
        text("; a run %.1f us", static_cast<double>(wall) * 1e-3 / static_cast<double>(runs)));
  const Products products = productsOf(profile, isa, threads);
  if (products.multiply_adds != 0)
    print(describe(products, static_cast<double>(std::max<uint64_t>(wall, 1)) * 1e-9, threads));
  print(rt::describeBytes(profile.bound_bytes / std::max<uint64_t>(runs, 1)) +
        " of buffers bound to a run; " + nameOf(row.origin) + " in " +
        rt::describeTime(row.nanoseconds) + "; " + describe(row.remarks));
}

void ProfileReport::print(rt::Log& log, rt::Isa isa, uint32_t threads) const {
  std::lock_guard lock(mutex_);
  std::vector<const Row*> ran;
  for (const Row& row : rows_)
    if (row.profile->runs != 0) ran.push_back(&row);
  std::ranges::stable_sort(ran, std::ranges::greater(),
                           [](const Row* row) { return row->profile->wall_nanoseconds.load(); });
  log.print("profile: " + std::to_string(ran.size()) + " of " + std::to_string(rows_.size()) +
            " pipelines have run" + (ran.empty() ? "" : ", those that took longest first:"));
  for (const Row* row : ran) print(*row, log, isa, threads);
}

}  // namespace icd
