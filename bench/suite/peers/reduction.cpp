// SPDX-License-Identifier: Apache-2.0

// Reductions, scans, counting and sorting.
#include <algorithm>
#include <array>
#include <atomic>
#include <utility>

#include "bench/suite/rows.h"

namespace bench {
namespace {

constexpr size_t kBlock = 256;  // elements, for kernels that work on blocks

void dotSubgroup(Push push, const float* a, const float* b, float* sums) {
  const size_t n = push[0];
  for (size_t part = 0; part < 256; ++part) {
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = part * n; i < (part + 1) * n; ++i) sum += a[i] * b[i];
    sums[part] = sum;
  }
}

void dotTree(Push push, const float* a, const float* b, float* sums) {
  const size_t n = push[0];
  for (size_t part = 0; part < 256; ++part) {
    std::array<float, kBlock> partial = {};
    for (size_t i = part * n; i < (part + 1) * n; i += kBlock)
      for (size_t lane = 0; lane < kBlock; ++lane) partial[lane] += a[i + lane] * b[i + lane];
    for (size_t size = kBlock / 2; size > 0; size /= 2) {
#pragma omp simd
      for (size_t lane = 0; lane < size; ++lane) partial[lane] += partial[lane + size];
    }
    sums[part] = partial[0];
  }
}

void minMaxIndex(Push push, const float* data, float* least, float* greatest, uint32_t* place) {
  const uint32_t n = push[0];
  for (size_t part = 0; part < 256; ++part) {
    const float* values = data + part * n;
    float low = values[0], high = values[0];
    uint32_t at = 0;
    for (uint32_t i = 1; i < n; ++i) {
      low = std::min(low, values[i]);
      if (values[i] > high) {
        high = values[i];
        at = i;
      }
    }
    least[part] = low;
    greatest[part] = high;
    place[part] = at;
  }
}

void addAtomically(uint32_t& count, uint32_t more) {
  std::atomic_ref(count).fetch_add(more, std::memory_order_relaxed);
}

void histogramShared(Push push, const uint32_t* words, uint32_t* counts) {
  for (size_t group = 0; group < 64; ++group) {
    std::array<uint32_t, 256> local = {};
    for (size_t first = group * kBlock; first < push[0]; first += 64 * kBlock)
      for (size_t i = first; i < first + kBlock; ++i)
        for (uint32_t shift = 0; shift < 32; shift += 8)
          addAtomically(local[words[i] >> shift & 255], 1);
    for (size_t value = 0; value < 256; ++value) addAtomically(counts[value], local[value]);
  }
}

void histogramGlobal(Push push, const uint32_t* values, uint32_t* counts) {
  for (uint32_t i = 0; i < push[0]; ++i) addAtomically(counts[values[i]], 1);
}

void scanHillisSteele(Push, const uint32_t* data, uint32_t* sums) {
  std::array<std::array<uint32_t, kBlock>, 2> values;
  for (size_t block = 0; block < 1024; ++block) {
    std::copy_n(data + block * kBlock, kBlock, values[0].begin());
    size_t from = 0;
    for (size_t step = 1; step < kBlock; step *= 2) {
      const std::array<uint32_t, kBlock>& before = values[from];
      std::array<uint32_t, kBlock>& after = values[1 - from];
      for (size_t lane = 0; lane < step; ++lane) after[lane] = before[lane];
#pragma omp simd
      for (size_t lane = step; lane < kBlock; ++lane)
        after[lane] = before[lane] + before[lane - step];
      from = 1 - from;
    }
    std::ranges::copy(values[from], sums + block * kBlock);
  }
}

void scanBlelloch(Push, const uint32_t* data, uint32_t* sums) {
  std::array<uint32_t, kBlock> values;
  for (size_t block = 0; block < 1024; ++block) {
    std::copy_n(data + block * kBlock, kBlock, values.begin());
    for (size_t step = 1; step < kBlock; step *= 2) {
#pragma omp simd
      for (size_t i = 2 * step - 1; i < kBlock; i += 2 * step) values[i] += values[i - step];
    }
    for (size_t step = kBlock / 4; step > 0; step /= 2) {
#pragma omp simd
      for (size_t i = 2 * step - 1; i < kBlock - step; i += 2 * step) values[i + step] += values[i];
    }
    std::ranges::copy(values, sums + block * kBlock);
  }
}

// One sum after the other: what C++ has instead of the sums of subgroups.
void scanSubgroup(Push, const uint32_t* data, uint32_t* sums) {
  for (size_t block = 0; block < 1024; ++block) {
    uint32_t sum = 0;
    for (size_t i = block * kBlock; i < (block + 1) * kBlock; ++i) sums[i] = sum += data[i];
  }
}

void compact(Push push, const float* data, float* kept, uint32_t* counts) {
  const float limit = push.real(0);
  for (size_t block = 0; block < 1024; ++block) {
    uint32_t count = 0;
    for (size_t i = block * kBlock; i < (block + 1) * kBlock; ++i)
      if (data[i] > limit) kept[block * kBlock + count++] = data[i];
    counts[block] = count;
  }
}

void radixCount(Push push, const uint32_t* keys, uint32_t* sorted) {
  std::array<uint32_t, 16 * kBlock> counts;
  for (size_t block = 0; block < 512; ++block) {
    const uint32_t* from = keys + block * kBlock;
    counts.fill(0);
    for (size_t i = 0; i < kBlock; ++i) counts[(from[i] >> push[0] & 15) * kBlock + i] = 1;
    uint32_t sum = 0;
    for (uint32_t& count : counts) sum += std::exchange(count, sum);
    for (size_t i = 0; i < kBlock; ++i)
      sorted[block * kBlock + counts[(from[i] >> push[0] & 15) * kBlock + i]] = from[i];
  }
}

void radixSplit(Push push, const uint32_t* keys, uint32_t* sorted) {
  std::array<std::array<uint32_t, kBlock>, 2> values;
  for (size_t block = 0; block < 512; ++block) {
    std::copy_n(keys + block * kBlock, kBlock, values[0].begin());
    for (size_t bit = 0; bit < 4; ++bit) {
      const std::array<uint32_t, kBlock>& before = values[bit % 2];
      std::array<uint32_t, kBlock>& after = values[1 - bit % 2];
      size_t zeros = 0, ones = 0;
      for (const uint32_t key : before) ones += ~key >> (push[0] + bit) & 1;
      for (const uint32_t key : before) {
        const bool one = (key >> (push[0] + bit) & 1) != 0;
        after[one ? ones : zeros] = key;
        ones += one;
        zeros += !one;
      }
    }
    std::ranges::copy(values[0], sorted + block * kBlock);
  }
}

void bitonicStep(Push push, float* data) {
  const size_t distance = push[0];
  for (size_t first = 0; first < 1 << 19; first += 2 * distance) {
    const bool up = (first & push[1]) == 0;
    float* low = data + first;
    float* high = low + distance;
#pragma omp simd
    for (size_t i = 0; i < distance; ++i) {
      const float a = std::min(low[i], high[i]), b = std::max(low[i], high[i]);
      low[i] = up ? a : b;
      high[i] = up ? b : a;
    }
  }
}

void bitonicPairs(Push push, float* data) {
  const uint32_t words[] = {1u << push[0], push[1]};
  bitonicStep({words}, data);
}

void topK(Push, const float* data, float* greatest) {
  for (size_t block = 0; block < 64; ++block) {
    const float* values = data + block * kBlock;
    for (size_t lane = 0; lane < kBlock; ++lane) {
      uint32_t place = 0;
      for (size_t i = 0; i < kBlock; ++i)
        place += (values[i] > values[lane]) | ((values[i] == values[lane]) & (i < lane));
      if (place < 16) greatest[block * 16 + place] = values[lane];
    }
  }
}

constexpr KernelRow kRows[] = {
    kernelRow<dotSubgroup>("dot_subgroup"),
    kernelRow<dotTree>("dot_tree"),
    kernelRow<minMaxIndex>("min_max_index"),
    kernelRow<histogramShared>("histogram_shared"),
    kernelRow<histogramGlobal>("histogram_global"),
    kernelRow<scanHillisSteele>("scan_hillis_steele"),
    kernelRow<scanBlelloch>("scan_blelloch"),
    kernelRow<scanSubgroup>("scan_subgroup"),
    kernelRow<compact>("compact"),
    kernelRow<radixCount>("radix_count"),
    kernelRow<radixSplit>("radix_split"),
    kernelRow<bitonicStep>("bitonic_step"),
    kernelRow<bitonicPairs>("bitonic_pairs"),
    kernelRow<topK>("top_k"),
};

}  // namespace

std::span<const KernelRow> reductionKernels() { return kRows; }

}  // namespace bench
