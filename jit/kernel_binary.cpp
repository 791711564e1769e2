// SPDX-License-Identifier: Apache-2.0

#include "jit/kernel_binary.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/Support/BLAKE3.h>

#include <cstring>
#include <type_traits>

#include "jit/base/error.h"
#include "runtime/build_id.h"

namespace jit {
namespace {

// Each part with its length, so that no two requests make the same bytes.
class KeyHasher {
 public:
  template <typename Number>
    requires std::is_arithmetic_v<Number> || std::is_enum_v<Number>
  void add(Number number) {
    hash_.update(llvm::ArrayRef<uint8_t>(reinterpret_cast<const uint8_t*>(&number), sizeof number));
  }

  template <typename Element>
  void add(std::span<const Element> elements) {
    static_assert(std::has_unique_object_representations_v<Element>);
    add(uint64_t{elements.size()});
    hash_.update(llvm::ArrayRef<uint8_t>(reinterpret_cast<const uint8_t*>(elements.data()),
                                         elements.size_bytes()));
  }

  void add(std::string_view text) { add(std::span(text)); }

  KernelKey key() {
    KernelKey key;
    const llvm::BLAKE3Result<> result = hash_.final();
    static_assert(sizeof result == sizeof key);
    std::memcpy(key.data(), result.data(), key.size());
    return key;
  }

 private:
  llvm::BLAKE3 hash_;
};

template <typename Row>
void addRow(KeyHasher& hasher, const Row& row) {
  for (uint32_t size : {row.m, row.n, row.k}) hasher.add(size);
  for (coopmat::Component type : {row.a, row.b, row.c, row.result}) hasher.add(type);
  hasher.add(row.saturating);
}

// They decide what is refused. A kernel that another device has accepted is not found under them.
void addTables(KeyHasher& hasher, const coopmat::Tables& tables) {
  for (const std::vector<coopmat::Shape>& table : {tables.fixed, tables.nv}) {
    hasher.add(uint64_t{table.size()});
    for (const coopmat::Shape& row : table) {
      addRow(hasher, row);
      hasher.add(row.scope);
    }
  }
  hasher.add(uint64_t{tables.flexible.size()});
  for (const coopmat::FlexibleShape& row : tables.flexible) {
    addRow(hasher, row);
    hasher.add(row.scope.has_value());
    hasher.add(row.scope.value_or(coopmat::Scope::Subgroup));
    hasher.add(row.invocations);
  }
  hasher.add(tables.max_dimension);
  hasher.add(tables.max_workgroup);
  hasher.add(tables.reserved_shared_bytes);
}

struct Header {
  std::array<uint32_t, 3> workgroup_size;
  uint32_t subgroup_size;
  uint32_t shared_bytes;
  uint32_t declared_shared_bytes;
  uint32_t scratch_bytes;
  uint16_t shares_panels, is_unordered;
  uint16_t runs_rows, in_order;
  uint32_t uses_tiles;
  RemarkCounts remarks;
  uint32_t used_sets;
};

}  // namespace

KernelKey keyOf(const KernelRequest& request, const Target& target) {
  KeyHasher hasher;
  hasher.add(rt::buildId());
  hasher.add(std::string_view(LLVM_VERSION_STRING));  // it may be a shared library
  hasher.add(target.isa);
  hasher.add(std::string_view(target.cpu));
  hasher.add(std::string_view(target.feature_string));
  hasher.add(std::string_view(target.tune_cpu));
  hasher.add(target.vector_bytes);
  hasher.add(target.first_level_bytes);
#define CPU_FEATURE(field, llvm_name) hasher.add(target.features.field);
#include "runtime/cpu_features.def"
  hasher.add(target.emulates_tiles);
  hasher.add(target.exact);
  hasher.add(target.interruptible);
  hasher.add(target.checks_shapes);
  hasher.add(request.spirv);
  hasher.add(request.entry_point);
  hasher.add(uint64_t{request.specializations.size()});
  for (const Specialization& specialization : request.specializations) {
    hasher.add(specialization.id);
    hasher.add(specialization.value);
  }
  hasher.add(uint64_t{request.bindings.size()});
  for (const BindingLayout& binding : request.bindings) {
    hasher.add(binding.set);
    hasher.add(binding.binding);
    hasher.add(binding.kind);
    hasher.add(binding.count);
    hasher.add(binding.offset);
    hasher.add(binding.dynamic_index);
  }
  hasher.add(request.subgroup_size);
  hasher.add(request.require_full_subgroups);
  hasher.add(request.large_buffers);
  hasher.add(request.robust_storage_buffers);
  hasher.add(request.robust_uniform_buffers);
  hasher.add(request.robust_variables);
  hasher.add(request.checks.bits());
  hasher.add(request.memory_check.storage_buffers);
  hasher.add(request.memory_check.uniform_buffers);
  hasher.add(request.memory_check.null_descriptors);
  hasher.add(request.memory_check.carries_out);
  hasher.add(request.undefined_decisions.bits());
  if (request.checks.any()) hasher.add(std::string_view(request.name));  // findings say it
  hasher.add(request.component_layout);
  if (request.matrices != nullptr) addTables(hasher, *request.matrices);
  return hasher.key();
}

std::vector<std::byte> writeBinary(const Kernel& kernel, llvm::ArrayRef<char> object) {
  const Header header{kernel.workgroup_size, kernel.subgroup_size,
                      kernel.shared_bytes,   kernel.declared_shared_bytes,
                      kernel.scratch_bytes,  kernel.shares_panels,
                      kernel.is_unordered,   kernel.runs_rows,
                      kernel.in_order,       kernel.uses_tiles,
                      kernel.remarks,        kernel.used_sets};
  std::vector<std::byte> binary(sizeof header + object.size());
  std::memcpy(binary.data(), &header, sizeof header);
  std::memcpy(binary.data() + sizeof header, object.data(), object.size());
  return binary;
}

llvm::Expected<BinaryParts> readBinary(std::span<const std::byte> binary) {
  Header header;
  if (binary.size() <= sizeof header) return malformed("this is no compiled kernel: too short");
  std::memcpy(&header, binary.data(), sizeof header);
  const std::span object = binary.subspan(sizeof header);
  return BinaryParts{.kernel = {.entry = nullptr,
                                .workgroup_size = header.workgroup_size,
                                .subgroup_size = header.subgroup_size,
                                .shared_bytes = header.shared_bytes,
                                .declared_shared_bytes = header.declared_shared_bytes,
                                .scratch_bytes = header.scratch_bytes,
                                .shares_panels = header.shares_panels != 0,
                                .runs_rows = header.runs_rows != 0,
                                .is_unordered = header.is_unordered != 0,
                                .in_order = header.in_order != 0,
                                .remarks = header.remarks,
                                .uses_tiles = header.uses_tiles != 0,
                                .used_sets = header.used_sets,
                                .code_bytes = 0,
                                .code = nullptr},
                     .object = {reinterpret_cast<const char*>(object.data()), object.size()}};
}

}  // namespace jit
