// SPDX-License-Identifier: Apache-2.0

// Hashes, check sums, words, and a transform.
#include <algorithm>
#include <array>
#include <bit>

#include "bench/suite/rows.h"

namespace bench {
namespace {

constexpr size_t kSide = 16;  // messages side by side
using Words = std::array<uint32_t, kSide>;

void sha256(Push push, const uint32_t* __restrict words, const uint32_t* __restrict constants,
            uint32_t* __restrict digests) {
  constexpr std::array<uint32_t, 8> kStart = {0x6a09e667u, 0xbb67ae85u, 0x3c6ef372u, 0xa54ff53au,
                                              0x510e527fu, 0x9b05688cu, 0x1f83d9abu, 0x5be0cd19u};
  const size_t n = push[0];
  for (size_t first = 0; first < n; first += kSide) {
    std::array<Words, 64> w;
    for (size_t t = 0; t < 16; ++t) std::copy_n(words + t * n + first, kSide, w[t].begin());
    for (size_t t = 16; t < 64; ++t)
      for (size_t k = 0; k < kSide; ++k) {
        const uint32_t p = w[t - 15][k], q = w[t - 2][k];
        w[t][k] = w[t - 16][k] + (std::rotr(p, 7) ^ std::rotr(p, 18) ^ p >> 3) + w[t - 7][k] +
                  (std::rotr(q, 17) ^ std::rotr(q, 19) ^ q >> 10);
      }
    std::array<Words, 8> s;
    for (size_t j = 0; j < 8; ++j) s[j].fill(kStart[j]);
    for (size_t t = 0; t < 64; ++t)
      for (size_t k = 0; k < kSide; ++k) {
        const uint32_t a = s[0][k], b = s[1][k], c = s[2][k], e = s[4][k];
        const uint32_t one = s[7][k] + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                             ((e & s[5][k]) ^ (~e & s[6][k])) + constants[t] + w[t][k];
        const uint32_t two =
            (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        s[7][k] = s[6][k];
        s[6][k] = s[5][k];
        s[5][k] = e;
        s[4][k] = s[3][k] + one;
        s[3][k] = c;
        s[2][k] = b;
        s[1][k] = a;
        s[0][k] = one + two;
      }
    for (size_t j = 0; j < 8; ++j)
      for (size_t k = 0; k < kSide; ++k) digests[j * n + first + k] = kStart[j] + s[j][k];
  }
}

void crc32(Push push, const uint32_t* messages, const uint32_t* table, uint32_t* sums) {
  const size_t n = push[0];
  for (size_t first = 0; first < n; first += kSide) {
    Words crc;
    crc.fill(~0u);
    for (size_t t = 0; t < 64; ++t)
      for (size_t k = 0; k < kSide; ++k) {
        const uint32_t word = messages[t * n + first + k];
        for (uint32_t shift = 0; shift < 32; shift += 8)
          crc[k] = crc[k] >> 8 ^ table[(crc[k] ^ word >> shift) & 255];
      }
    for (size_t k = 0; k < kSide; ++k) sums[first + k] = ~crc[k];
  }
}

uint32_t mixed(uint32_t hash, uint32_t word) {
  hash ^= std::rotl(word * 0xcc9e2d51u, 15) * 0x1b873593u;
  return std::rotl(hash, 13) * 5 + 0xe6546b64u;
}

void murmur3(Push push, const uint32_t* __restrict keys, uint32_t* __restrict hashes) {
  const size_t n = push[0];
  const uint32_t seed = push[1];
  for (size_t i = 0; i < n; ++i) {
    uint32_t hash =
        mixed(mixed(mixed(mixed(seed, keys[i]), keys[n + i]), keys[2 * n + i]), keys[3 * n + i]);
    hash ^= 16;
    hash = (hash ^ hash >> 16) * 0x85ebca6bu;
    hash = (hash ^ hash >> 13) * 0xc2b2ae35u;
    hashes[i] = hash ^ hash >> 16;
  }
}

void levenshtein(Push push, const uint32_t* __restrict pattern, const uint32_t* __restrict letters,
                 uint32_t* __restrict distances) {
  const size_t n = push[0];
  for (size_t first = 0; first < n; first += kSide) {
    std::array<Words, 17> row;
    for (uint32_t k = 0; k <= 16; ++k) row[k].fill(k);
    for (uint32_t j = 0; j < 16; ++j) {
      const uint32_t* letter = letters + j * n + first;
      Words corner = row[0];
      row[0].fill(j + 1);
      for (size_t k = 1; k <= 16; ++k)
        for (size_t m = 0; m < kSide; ++m) {
          const uint32_t replaced = corner[m] + (pattern[k - 1] == letter[m] ? 0 : 1);
          corner[m] = row[k][m];
          row[k][m] = std::min(replaced, std::min(row[k][m], row[k - 1][m]) + 1);
        }
    }
    std::ranges::copy(row[16], distances + first);
  }
}

// Butterflies of one transform after the other, real and imaginary parts apart.
void fft256(Push, const float* __restrict data, float* __restrict result,
            const float* __restrict roots) {
  constexpr size_t kSize = 256;
  std::array<size_t, kSize> reversed = {};
  for (size_t i = 0; i < kSize; ++i)
    for (size_t b = 0; b < 8; ++b) reversed[i] |= (i >> b & 1) << (7 - b);
  for (size_t transform = 0; transform < 256; ++transform) {
    float re[kSize], im[kSize];
    for (size_t i = 0; i < kSize; ++i) {
      re[reversed[i]] = data[2 * (transform * kSize + i)];
      im[reversed[i]] = data[2 * (transform * kSize + i) + 1];
    }
    for (size_t half = 1; half < kSize; half *= 2)
      for (size_t first = 0; first < kSize; first += 2 * half) {
#pragma omp simd
        for (size_t k = 0; k < half; ++k) {
          const size_t i = first + k, j = i + half, root = k * (128 / half);
          const float c = roots[2 * root], s = roots[2 * root + 1];
          const float x = re[j] * c - im[j] * s, y = re[j] * s + im[j] * c;
          re[j] = re[i] - x;
          im[j] = im[i] - y;
          re[i] += x;
          im[i] += y;
        }
      }
    for (size_t i = 0; i < kSize; ++i) {
      result[2 * (transform * kSize + i)] = re[i];
      result[2 * (transform * kSize + i) + 1] = im[i];
    }
  }
}

constexpr KernelRow kRows[] = {
    kernelRow<sha256>("sha256"),
    kernelRow<sha256>("sha256_ring"),
    kernelRow<crc32>("crc32"),
    kernelRow<murmur3>("murmur3"),
    kernelRow<levenshtein>("levenshtein"),
    kernelRow<fft256>("fft256"),
};

}  // namespace

std::span<const KernelRow> bytesKernels() { return kRows; }

}  // namespace bench
