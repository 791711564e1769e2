// SPDX-License-Identifier: Apache-2.0

#include "runtime/dispatch.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <vector>

#include "runtime/clock.h"
#include "runtime/float_environment.h"
#include "runtime/host.h"
#include "runtime/panel_cache.h"
#include "runtime/quantity.h"
#include "runtime/workgroup_order.h"

namespace rt {

namespace {

// Nanoseconds of work that are not worth waking another thread for, and what those that look for
// work are not worth calling for: 16 threads of a Xeon begin and end together in 5'000.
constexpr float kInlineWork = 15'000;
constexpr float kInlineWorkIfReady = 6'000;

// Nanoseconds between two looks at the clock and the counter: long against their cost (about 50),
// short against the time that a thread may be late at the end.
constexpr float kPortionWork = 5'000;

// Along x, of workgroups that run at once: rows of memory that are long enough for machines to
// fetch ahead, and short enough that the next row's subgroups find them in the first-level cache.
constexpr uint32_t kInvocationsInRow = 512;

// Where rows are read in place, and columns are packed by each worker that reads them: a cache line
// of a panel that is packed takes 34 cycles, one that is read 8 to 12 (a Xeon with AMX; 16 threads,
// products of 1024 cubed: 1.03 to 1.4 times as fast as with regions as wide as high).
constexpr uint64_t kRowsAColumn = 4;

// How workgroups share panels.
struct PanelSharing {
  WorkgroupTiling tiling;
  size_t cache_bytes = 0;  // of a worker's cache of panels; 0: none are shared
};

// A region for each worker; in it squares whose panels, those of A and of B about as large, the
// worker's cache of panels holds, in those squares for the processor's last cache, and in those
// strips, row after row of which reads the same panels of columns: the second-level cache holds
// them, and those of a row and of the next one.
PanelSharing sharingFor(const KernelImage& kernel, const DispatchArgs& args,
                        const WorkerPool& workers) {
  const uint64_t bytes = kernel.measured_panels.load(std::memory_order_relaxed);
  if (bytes == 0) return {};
  const bool has_rows_in_place = kernel.measured_in_place.load(std::memory_order_relaxed) != 0;
  const WorkgroupTiling::Region region =
      regionForEach(args.workgroup_count, workers.threads(), has_rows_in_place ? kRowsAColumn : 1);
  // More than the panels of the shorter side are not read again.
  const PanelCacheSizes& sizes = workers.panelSizes();
  const uint64_t side = std::min({region.width + 1, region.height + 1, sizes.most / bytes + 1});
  const uint64_t wanted = PanelCache::bytesToReach(side * bytes);
  const uint64_t cache_bytes = std::clamp<uint64_t>(wanted, sizes.usual, sizes.most);
  const uint64_t outer = PanelCache::reach(cache_bytes) / bytes;
  // Panels that do not fit for some workgroups in a row are not shared: shared by two in each
  // direction, what is saved in packing is lost in reading panels, which are larger than what they
  // were packed from (f16 of 4096 cubed with 128x256 matrices: 0.96 of the speed).
  if (outer < 3) return {};
  const uint64_t middle = PanelCache::reach(sizes.usual) / bytes;
  const uint64_t panels = secondLevelBytes() * 3 / 4 / (bytes / 2 + 1);
  return {{region, {outer, middle}, panels < 4 ? 0 : panels - 2}, cache_bytes};
}

// The first workgroup that was seen to end after the dispatch had been told to.
class Interruption {
 public:
  explicit Interruption(const Timeline& stop) : stop_(stop) {}

  // Of a workgroup that has ended: whether no other one is to begin.
  bool isAfter(const WorkgroupId& id) {
    if (stop_.value() == 0) return false;
    if (!taken_.test_and_set()) workgroup_ = id;
    return true;
  }

  // When nobody runs workgroups any more.
  const std::optional<WorkgroupId>& workgroup() const { return workgroup_; }

 private:
  const Timeline& stop_;
  std::atomic_flag taken_ = ATOMIC_FLAG_INIT;
  std::optional<WorkgroupId> workgroup_;
};

struct Grid {
  const KernelImage& kernel;
  const DispatchArgs& args;
  uint64_t total;     // workgroups
  uint64_t dispatch;  // tells it from all others
  PanelSharing sharing;
  Interruption* interruption;  // null: nobody asks
  DispatchObserver* observer;  // null: as above
  const Worker* caller;

  bool sharesPanels() const { return sharing.cache_bytes != 0; }

  // Runs workgroups [begin, end) of the order.
  void run(const WorkgroupMemory& memory, uint64_t begin, uint64_t end) const {
    if (interruption == nullptr) {
      runEach(memory, begin, end, [](uint32_t, uint32_t, uint32_t) { return false; });
    } else {
      runEach(memory, begin, end, [this](uint32_t x, uint32_t y, uint32_t z) {
        return interruption->isAfter({x, y, z});
      });
    }
  }

 private:
  // In a call of the kernel. Where somebody asks for the one that a dispatch ended in, one.
  uint32_t workgroupsAtOnce() const {
    if (!kernel.runs_rows || interruption != nullptr) return 1;
    return std::max(kInvocationsInRow / kernel.workgroup_size[0], 1u);
  }

  // Until `is_last` is true of one that has ended.
  template <typename IsLast>
  void runEach(const WorkgroupMemory& memory, uint64_t begin, uint64_t end, IsLast is_last) const {
    const KernelFunction entry = kernel.entry;
    const uint32_t most = workgroupsAtOnce();
    const uint32_t (&base)[3] = args.base_workgroup;
    auto runOne = [&](uint32_t x, uint32_t y, uint32_t z) {
      entry(&args, &memory, x, y, z, 1);
      return is_last(x, y, z);
    };
    if (sharesPanels()) {
      const WorkgroupOrder order(args.workgroup_count, sharing.tiling);
      for (; begin < end; ++begin) {
        const auto [x, y, z] = order.at(begin);
        if (runOne(base[0] + uint32_t(x), base[1] + uint32_t(y), base[2] + uint32_t(z))) return;
      }
      return;
    }
    const uint64_t size_x = args.workgroup_count[0], size_y = args.workgroup_count[1];
    auto [x, y, z] = WorkgroupOrder(args.workgroup_count).at(begin);
    while (begin < end) {
      const uint64_t row_end = std::min(size_x, x + (end - begin));
      begin += row_end - x;
      const uint32_t id_y = base[1] + uint32_t(y);
      const uint32_t id_z = base[2] + uint32_t(z);
      if (most > 1) {
        for (; x < row_end; x = std::min(x + most, row_end))
          entry(&args, &memory, base[0] + uint32_t(x), id_y, id_z,
                uint32_t(std::min<uint64_t>(most, row_end - x)));
      }
      for (; x < row_end; ++x)
        if (runOne(base[0] + uint32_t(x), id_y, id_z)) return;
      x = 0;
      if (++y == size_y) {
        y = 0;
        ++z;
      }
    }
  }
};

// What a thread has while it runs workgroups of a grid.
class RunningWorkgroups {
 public:
  RunningWorkgroups(const Grid& grid, Worker& worker) : grid_(grid), worker_(worker) {
    if (grid.observer != nullptr) {
      begin_ = now();
      cpu_begin_ = now(CLOCK_THREAD_CPUTIME_ID);
    }
    if (!grid.kernel.shares_panels) return;
    // Counted where none are shared too: the next dispatch may read less.
    worker.panels().begin(grid.dispatch, grid.sharing.cache_bytes);
    found_ = worker.panels().bytesFound();
    in_place_ = worker.panels().bytesInPlace();
    setPanelCache(&worker.panels());
  }
  RunningWorkgroups(const RunningWorkgroups&) = delete;
  RunningWorkgroups& operator=(const RunningWorkgroups&) = delete;
  ~RunningWorkgroups() {
    if (grid_.observer != nullptr && done_ != 0)
      grid_.observer->take({.begin = begin_,
                            .end = now(),
                            .cpu_nanoseconds = now(CLOCK_THREAD_CPUTIME_ID) - cpu_begin_,
                            .workgroups = done_,
                            .is_caller = &worker_ == grid_.caller});
    if (!grid_.kernel.shares_panels) return;
    setPanelCache(nullptr);
    if (done_ == 0) return;
    auto store = [&](std::atomic<uint64_t>& measured, uint64_t bytes) {
      measured.store(bytes / done_, std::memory_order_relaxed);
    };
    store(grid_.kernel.measured_panels, worker_.panels().bytesFound() - found_);
    store(grid_.kernel.measured_in_place, worker_.panels().bytesInPlace() - in_place_);
  }

  void run(const WorkgroupMemory& memory, uint64_t begin, uint64_t end) {
    grid_.run(memory, begin, end);
    done_ += end - begin;
  }

 private:
  const KernelFloatEnvironment environment_;
  const Grid& grid_;
  Worker& worker_;
  uint64_t found_ = 0, in_place_ = 0, done_ = 0;
  uint64_t begin_ = 0, cpu_begin_ = 0;  // for the observer
};

// How many workgroups of `cost` nanoseconds make `work`; at least 1, at most `most`.
uint64_t workgroupsIn(float work, float cost, uint64_t most) {
  float count = work / std::max(cost, 0.5f);
  return count >= float(most) ? std::max<uint64_t>(most, 1)
                              : std::max<uint64_t>(static_cast<uint64_t>(count), 1);
}

// Runs workgroups from `first` on on this thread until all are done or it pays to share the rest,
// which is more than `inline_work` nanoseconds.
// Returns the first that has not been run, and the measured cost in `cost`.
uint64_t runAlone(const Grid& grid, uint64_t first, Worker& worker, const WorkgroupMemory& memory,
                  bool may_share, float inline_work, const Timeline& stop, float& cost) {
  RunningWorkgroups running(grid, worker);
  const uint64_t start = now();
  uint64_t done = first, portion = 1;
  while (done < grid.total && stop.value() == 0) {
    portion = std::min(portion, grid.total - done);
    running.run(memory, done, done + portion);
    done += portion;
    cost = float(now() - start) / float(done - first);
    if (may_share && cost * float(grid.total - done) > inline_work) break;
    portion = workgroupsIn(inline_work, cost, grid.total - done);
  }
  return done;
}

// Workgroups that are left, in parts, of which several threads take portions.
class WorkgroupParts {
 public:
  // `count` parts of about the same size, for `threads` threads in all.
  WorkgroupParts(uint64_t first, uint64_t end, size_t count, uint32_t threads)
      : parts_(count), threads_a_part_(threads / count) {
    for (size_t i = 0; i < count; ++i) {
      parts_[i].next = first + (end - first) * i / count;
      parts_[i].end = first + (end - first) * (i + 1) / count;
    }
  }

  // One of its own for each thread, as long as there are some, in the order in which threads come:
  // lower workgroups have begun then, or will by a thread that runs.
  size_t nextInOrder() { return arrived_.fetch_add(1, std::memory_order_relaxed) % parts_.size(); }

  struct Range {
    uint64_t begin, end;
  };
  // At most `portion` from part `part` or, when it is empty, from another, which it becomes; fewer
  // towards the end, so that all threads end together. Nothing when all are empty.
  std::optional<Range> take(size_t& part, uint64_t portion) {
    for (size_t tries = 0; tries < parts_.size(); ++tries, part = (part + 1) % parts_.size()) {
      Part& from = parts_[part];
      const uint64_t position = from.next.load(std::memory_order_relaxed);
      if (position >= from.end) continue;
      portion = std::clamp<uint64_t>((from.end - position) / (4 * threads_a_part_), 1, portion);
      const uint64_t begin = from.next.fetch_add(portion, std::memory_order_relaxed);
      if (begin < from.end) return Range{begin, std::min(begin + portion, from.end)};
    }
    return std::nullopt;
  }

 private:
  struct alignas(64) Part {
    std::atomic<uint64_t> next = 0;
    uint64_t end = 0;
  };
  std::vector<Part> parts_;
  const uint64_t threads_a_part_;
  std::atomic<size_t> arrived_ = 0;
};

// Runs the rest from `first` on all workers; returns the measured cost. Where no workgroup can tell
// the order, workers have a part each, neighbours in the order, and help the others when it is
// done: a worker goes on in memory where it was, as machines that fetch ahead expect, and writes a
// counter that others leave alone. With one counter for all, a language model in f16 generated 172
// instead of 217 tokens a second (16 threads of a Xeon), and a tenth of the processors' time went
// into the counter.
float runShared(const Grid& grid, uint64_t first, WorkerPool& workers, const Timeline& stop,
                float cost) {
  const uint32_t threads = workers.threads();
  const bool has_parts = grid.kernel.is_unordered || grid.sharesPanels();
  WorkgroupParts parts(first, grid.total, has_parts ? threads : 1, threads);
  struct alignas(64) Measured {
    uint64_t nanoseconds = 0, workgroups = 0;
  };
  std::vector<Measured> measured(threads);  // by worker: a common sum is a line that all wait for
  workers.run([&](Worker& worker) {
    // A worker without memory leaves the work to the others; the caller's has been checked.
    const WorkgroupMemory* memory = worker.prepare(grid.kernel);
    if (!memory) return;
    RunningWorkgroups running(grid, worker);
    const uint64_t start = now();
    uint64_t last = start, count = 0;
    uint64_t portion = cost > 0 ? workgroupsIn(kPortionWork, cost, grid.total) : 1;
    // The same worker has the same part in the next dispatch, which may read what this one wrote.
    size_t part = grid.kernel.is_unordered ? worker.number() : parts.nextInOrder();
    while (stop.value() == 0 && !worker.mustLeave()) {
      const auto range = parts.take(part, portion);
      if (!range) break;
      running.run(*memory, range->begin, range->end);
      const uint64_t time = now(), done = range->end - range->begin;
      count += done;
      portion = std::min(4 * done,
                         workgroupsIn(kPortionWork, float(time - last) / float(done), grid.total));
      last = time;
    }
    measured[worker.number()].nanoseconds += last - start;
    measured[worker.number()].workgroups += count;
  });
  Measured sum;
  for (const Measured& of_worker : measured) {
    sum.nanoseconds += of_worker.nanoseconds;
    sum.workgroups += of_worker.workgroups;
  }
  return sum.workgroups == 0 ? cost : float(sum.nanoseconds) / float(sum.workgroups);
}

}  // namespace

NoWorkgroupMemory::NoWorkgroupMemory(const KernelImage& kernel)
    : message_("out of memory: a workgroup of " + describe(kernel) + " needs " +
               describeBytes(uint64_t{kernel.shared_bytes} + kernel.scratch_bytes) +
               " beside its buffers; the system has " + describeBytes(availableMemory()) +
               " left, of which a limit of the process (ulimit -v) may deny some") {}

std::string describe(const KernelImage& kernel) {
  std::string name = kernel.given_name.get();
  if (name.empty()) name = kernel.name;
  return name.empty() ? "a shader without a name" : name;
}

void runDispatch(const KernelImage& kernel, const DispatchArgs& args, WorkerPool& workers,
                 const Timeline& stop, std::optional<WorkgroupId>* interrupted,
                 DispatchObserver* observer) {
  const uint64_t total =
      uint64_t{args.workgroup_count[0]} * args.workgroup_count[1] * args.workgroup_count[2];
  if (total == 0) return;
  const WorkgroupMemory* memory = workers.caller().prepare(kernel);
  if (!memory) throw NoWorkgroupMemory(kernel);

  Interruption interruption(stop);
  Grid grid{.kernel = kernel,
            .args = args,
            .total = total,
            .dispatch = 0,
            .sharing = {},
            .interruption = interrupted != nullptr ? &interruption : nullptr,
            .observer = observer,
            .caller = &workers.caller()};
  uint64_t done = 0;
  if (kernel.shares_panels) {
    static std::atomic<uint64_t> dispatches = 0;
    grid.dispatch = ++dispatches;
    if (kernel.measured_panels.load(std::memory_order_relaxed) == 0 && stop.value() == 0) {
      // Whatever the order is, the first workgroup is the same.
      grid.sharing.cache_bytes = workers.panelSizes().usual;
      RunningWorkgroups(grid, workers.caller()).run(*memory, 0, 1);
      done = 1;
    }
    grid.sharing = sharingFor(kernel, args, workers);
  }
  const bool may_share = workers.threads() > 1 && total - done > 1 && !kernel.in_order;
  float cost = kernel.measured_cost.load(std::memory_order_relaxed);
  const float inline_work = workers.isReady() ? kInlineWorkIfReady : kInlineWork;
  if (!may_share || cost * float(total - done) <= inline_work) {
    done = runAlone(grid, done, workers.caller(), *memory, may_share, inline_work, stop, cost);
  }
  if (done < total && stop.value() == 0) cost = runShared(grid, done, workers, stop, cost);
  kernel.measured_cost.store(cost, std::memory_order_relaxed);
  if (interrupted != nullptr) *interrupted = interruption.workgroup();
}

}  // namespace rt
