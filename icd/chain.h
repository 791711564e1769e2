// SPDX-License-Identifier: Apache-2.0

// Generic walks over pNext chains (specification, "Valid Usage for Structure Pointer Chains").
// Structures that we do not know are skipped.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <span>
#include <type_traits>

#include "icd/vulkan.h"

namespace icd {

// The first structure of this type in a chain, or null.
template <class T>
const T* findInChain(const void* chain, VkStructureType type) {
  for (auto* link = static_cast<const VkBaseInStructure*>(chain); link != nullptr;
       link = link->pNext) {
    if (link->sType == type) return reinterpret_cast<const T*>(link);
  }
  return nullptr;
}

template <class T>
T* findInChain(void* chain, VkStructureType type) {
  return const_cast<T*>(findInChain<T>(static_cast<const void*>(chain), type));
}

// One structure, seen without its type: what follows sType and pNext.
struct StructurePayload {
  VkStructureType type;
  const std::byte* bytes;
  size_t size;
};

inline constexpr size_t kPayloadOffset = sizeof(VkBaseInStructure);

// Converts to anything; never evaluated.
struct AnyMember {
  template <class T>
  constexpr operator T() const;
};

// Members of an aggregate, counted by trying ever longer initialisers.
template <class T, class... Members>
consteval size_t memberCount() {
  if constexpr (requires { T{Members{}..., AnyMember{}}; }) {
    return memberCount<T, Members..., AnyMember>();
  } else {
    return sizeof...(Members);
  }
}

template <class T>
StructurePayload payloadOf(const T& structure) {
  return {structure.sType, reinterpret_cast<const std::byte*>(&structure) + kPayloadOffset,
          sizeof(T) - kPayloadOffset};
}

// The payload of a structure of type T whose members are also the members `first` to `last` of
// `source`, at the same offsets.
#define PAYLOAD_WITHIN(T, type, source, first, last)                                           \
  [](const auto& from) {                                                                       \
    using From = std::remove_cvref_t<decltype(from)>;                                          \
    constexpr size_t kBegin = offsetof(From, first);                                           \
    constexpr size_t kBytes = offsetof(From, last) - kBegin + sizeof(from.last);               \
    static_assert(offsetof(T, first) == kPayloadOffset);                                       \
    static_assert(offsetof(T, last) + sizeof(T::last) == kPayloadOffset + kBytes);             \
    return StructurePayload{type, reinterpret_cast<const std::byte*>(&from) + kBegin, kBytes}; \
  }(source)

// Whether no two rows of a table are for one type of structure.
template <class Rows, class Type = std::identity>
constexpr bool isEachOnce(const Rows& rows, Type type = {}) {
  return std::ranges::all_of(rows, [&](const auto& row) {
    return std::ranges::count(rows, std::invoke(type, row), type) == 1;
  });
}

// Fills each structure of the chain that the list knows.
inline void fillChain(void* chain, std::span<const StructurePayload> known) {
  for (auto* link = static_cast<VkBaseOutStructure*>(chain); link != nullptr; link = link->pNext) {
    for (const StructurePayload& payload : known) {
      if (payload.type != link->sType) continue;
      std::memcpy(reinterpret_cast<std::byte*>(link) + kPayloadOffset, payload.bytes, payload.size);
    }
  }
}

}  // namespace icd
