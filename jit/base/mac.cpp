// SPDX-License-Identifier: Apache-2.0

#include "jit/base/mac.h"

#include <llvm-c/blake3.h>

namespace jit {

Mac macOf(std::span<const uint8_t, 32> key, MacPurpose purpose,
          std::initializer_list<std::span<const std::byte>> parts) {
  static_assert(decltype(key)::extent == LLVM_BLAKE3_KEY_LEN);
  llvm_blake3_hasher hasher;
  llvm_blake3_hasher_init_keyed(&hasher, key.data());
  llvm_blake3_hasher_update(&hasher, &purpose, sizeof purpose);
  for (std::span<const std::byte> part : parts)
    llvm_blake3_hasher_update(&hasher, part.data(), part.size());
  Mac mac;
  llvm_blake3_hasher_finalize(&hasher, mac.data(), mac.size());
  return mac;
}

bool areEqual(const Mac& a, const Mac& b) {
  uint8_t difference = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    difference |= a[i] ^ b[i];
    asm("" : "+r"(difference));  // the compiler would be free to leave the loop early
  }
  return difference == 0;
}

}  // namespace jit
