// SPDX-License-Identifier: Apache-2.0

#include "jit/codegen/debugger.h"

#include <elf.h>

#include <cstring>
#include <mutex>

// The interface, as debuggers know it by these names: a list of objects, and a function that they
// stop at to look at it again.
extern "C" {

enum TesseraJitAction : uint32_t { kJitNoAction, kJitRegister, kJitUnregister };

struct TesseraJitEntry {
  TesseraJitEntry* next;
  TesseraJitEntry* previous;
  const char* file;
  uint64_t bytes;
};

struct TesseraJitDescriptor {
  uint32_t version;
  uint32_t action;
  TesseraJitEntry* relevant;
  TesseraJitEntry* first;
};

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
__attribute__((visibility("default"), used)) TesseraJitDescriptor __jit_debug_descriptor = {
    1, kJitNoAction, nullptr, nullptr};

__attribute__((visibility("default"), noinline, used)) void __jit_debug_register_code() {
  asm volatile("" ::: "memory");  // so that calls stay
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

}  // extern "C"

namespace jit {

namespace jitlink = llvm::jitlink;

struct DebuggedObject::Entry : TesseraJitEntry {};

namespace {

std::mutex& listMutex() {
  static std::mutex mutex;
  return mutex;
}

void tell(TesseraJitAction action, TesseraJitEntry* entry) {
  __jit_debug_descriptor.action = action;
  __jit_debug_descriptor.relevant = entry;
  __jit_debug_register_code();
  __jit_debug_descriptor.action = kJitNoAction;
  __jit_debug_descriptor.relevant = nullptr;
}

// What the object's own section headers leave 0, as it was made to be linked.
void writeAddresses(std::vector<char>& object, const SectionAddresses& addresses) {
  Elf64_Ehdr head;
  if (object.size() < sizeof head) return;
  std::memcpy(&head, object.data(), sizeof head);
  auto at = [&](uint64_t number) { return head.e_shoff + number * sizeof(Elf64_Shdr); };
  if (at(head.e_shnum) > object.size() || head.e_shstrndx >= head.e_shnum) return;
  Elf64_Shdr names;
  std::memcpy(&names, object.data() + at(head.e_shstrndx), sizeof names);
  for (uint64_t k = 0; k < head.e_shnum; ++k) {
    Elf64_Shdr section;
    std::memcpy(&section, object.data() + at(k), sizeof section);
    const uint64_t name = names.sh_offset + section.sh_name;
    if (name >= object.size()) continue;
    auto address = addresses.find(
        std::string(object.data() + name, strnlen(object.data() + name, object.size() - name)));
    if (address == addresses.end()) continue;
    section.sh_addr = address->second;
    std::memcpy(object.data() + at(k), &section, sizeof section);
  }
}

}  // namespace

void noteSectionAddresses(jitlink::PassConfiguration& passes, SectionAddresses& addresses) {
  passes.PostAllocationPasses.push_back([&addresses](jitlink::LinkGraph& graph) {
    for (const jitlink::Section& section : graph.sections())
      if (!section.empty())
        addresses[section.getName().str()] = jitlink::SectionRange(section).getStart().getValue();
    return llvm::Error::success();
  });
}

DebuggedObject::DebuggedObject(llvm::ArrayRef<char> object, const SectionAddresses& addresses)
    : object_(object.begin(), object.end()), entry_(std::make_unique<Entry>()) {
  writeAddresses(object_, addresses);
  entry_->file = object_.data();
  entry_->bytes = object_.size();
  const std::lock_guard lock(listMutex());
  entry_->previous = nullptr;
  entry_->next = __jit_debug_descriptor.first;
  if (entry_->next != nullptr) entry_->next->previous = entry_.get();
  __jit_debug_descriptor.first = entry_.get();
  tell(kJitRegister, entry_.get());
}

DebuggedObject::~DebuggedObject() {
  const std::lock_guard lock(listMutex());
  if (entry_->previous != nullptr) entry_->previous->next = entry_->next;
  if (entry_->next != nullptr) entry_->next->previous = entry_->previous;
  if (__jit_debug_descriptor.first == entry_.get()) __jit_debug_descriptor.first = entry_->next;
  tell(kJitUnregister, entry_.get());
}

}  // namespace jit
