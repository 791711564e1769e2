// SPDX-License-Identifier: Apache-2.0

#include "bench/shared_library.h"

#include <dlfcn.h>

#include <cstdlib>
#include <new>
#include <stdexcept>
#include <string>

namespace bench {

SharedLibrary::SharedLibrary(std::initializer_list<const char*> names) {
  std::string error;
  for (const char* name : names) {
    handle_ = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (handle_ != nullptr) return;
    if (const char* reason = dlerror(); error.empty() && reason != nullptr) error = reason;
  }
  throw std::runtime_error(error);
}

void* SharedLibrary::address(const char* name) const { return dlsym(handle_, name); }

void* SharedLibrary::required(const char* name) const {
  void* found = address(name);
  if (found == nullptr) throw std::runtime_error(std::string("the library lacks ") + name);
  return found;
}

AlignedBytes::AlignedBytes(size_t bytes) {
  constexpr size_t kLine = 64;
  void* memory = std::aligned_alloc(kLine, (bytes + kLine - 1) / kLine * kLine);
  if (memory == nullptr) throw std::bad_alloc();
  memory_.reset(static_cast<std::byte*>(memory));
}

void AlignedBytes::Free::operator()(std::byte* memory) const { std::free(memory); }

}  // namespace bench
