// SPDX-License-Identifier: Apache-2.0

// The user's secret, by which the driver knows again what it has given to applications: code that
// they keep in files of their own (jit/base/mac.h).
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace rt {

using SecretKey = std::array<uint8_t, 32>;

struct FoundKey {
  SecretKey key;
  // What was wrong; empty: nothing. Of the folder, that nothing can be kept in it; of the file,
  // that the key in it could not be used, or a new one not be kept.
  std::string folder_complaint = "", file_complaint = "";
};

// The name of the file in its folder.
inline constexpr char kSecretKeyFile[] = "key";

// The key that is kept in `folder`; made from random bytes when there is none, with the folder. Any
// number of processes may do so at once: they get the same. The folder must be as that of a
// DiskCache, and the file the user's own, mode 0600 and whole; one that is not is replaced, and is
// never used. Where that cannot be, and with an empty `folder`, a key that is this process's alone,
// always the same.
FoundKey findSecretKey(const std::string& folder);

}  // namespace rt
