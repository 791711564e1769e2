// SPDX-License-Identifier: Apache-2.0

#include "runtime/build_id.h"

#include <elf.h>
#include <link.h>

#include <cstring>
#include <string_view>

namespace rt {
namespace {

constexpr size_t kNoteAlignment = 4;

size_t aligned(size_t size) { return (size + kNoteAlignment - 1) & ~(kNoteAlignment - 1); }

// Searches notes (name and contents of each after a header, both padded) for the build id.
std::span<const uint8_t> findBuildId(std::span<const uint8_t> notes) {
  while (notes.size() >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) header;
    std::memcpy(&header, notes.data(), sizeof header);
    notes = notes.subspan(sizeof header);
    const size_t name_size = aligned(header.n_namesz), size = aligned(header.n_descsz);
    if (name_size > notes.size() || size > notes.size() - name_size) break;
    const std::string_view name(reinterpret_cast<const char*>(notes.data()), header.n_namesz);
    if (header.n_type == NT_GNU_BUILD_ID && name == std::string_view("GNU", sizeof "GNU"))
      return notes.subspan(name_size, header.n_descsz);
    notes = notes.subspan(name_size + size);
  }
  return {};
}

// Of the object that contains this function: its segments surround the function's address.
int visit(dl_phdr_info* object, size_t, void* result) {
  const std::span headers(object->dlpi_phdr, object->dlpi_phnum);
  const auto here = reinterpret_cast<uintptr_t>(&visit);
  bool contains = false;
  for (const ElfW(Phdr) & header : headers) {
    const uintptr_t start = object->dlpi_addr + header.p_vaddr;
    contains |= header.p_type == PT_LOAD && here >= start && here - start < header.p_memsz;
  }
  if (!contains) return 0;
  for (const ElfW(Phdr) & header : headers) {
    if (header.p_type != PT_NOTE) continue;
    const auto* notes = reinterpret_cast<const uint8_t*>(object->dlpi_addr + header.p_vaddr);
    const std::span id = findBuildId({notes, header.p_memsz});
    if (!id.empty()) *static_cast<std::span<const uint8_t>*>(result) = id;
  }
  return 1;
}

}  // namespace

std::span<const uint8_t> buildId() {
  static const std::span<const uint8_t> id = [] {
    std::span<const uint8_t> found;
    dl_iterate_phdr(visit, &found);
    return found;
  }();
  return id;
}

}  // namespace rt
