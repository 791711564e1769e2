// SPDX-License-Identifier: Apache-2.0

// Regions of memory, places in them, and the statements that go there.
#include <algorithm>

#include "tests/matrix/writer.h"

namespace matrices {
namespace {

const char* storageName(Storage storage) {
  switch (storage) {
    case Storage::StorageBuffer:
      return "StorageBuffer";
    case Storage::PhysicalStorageBuffer:
      return "PhysicalStorageBuffer";
    case Storage::Workgroup:
      return "Workgroup";
  }
  return "";
}

ElementType unsignedLike(ElementType type) {
  switch (kernels::elementInfo(type).bits) {
    case 8:
      return ElementType::U8;
    case 16:
      return ElementType::U16;
    case 32:
      return ElementType::U32;
    default:
      return ElementType::U64;
  }
}

}  // namespace

// In Workgroup memory all have one or none.
bool Writer::hasLayout(const Region& region) const {
  return region.storage != Storage::Workgroup ||
         std::any_of(program_.regions.begin(), program_.regions.end(),
                     [](const Region& r) { return r.storage == Storage::Workgroup && r.untyped; });
}

// What a region with a layout needs of the module.
void Writer::requireStorage(const Region& region) {
  if (region.untyped) {
    module_.capability("UntypedPointersKHR");
    module_.extension("SPV_KHR_untyped_pointers");
  }
  const uint32_t bits = kernels::elementInfo(region.unit).bits;
  const std::string access = std::to_string(bits) + "BitAccess";
  if (region.storage == Storage::Workgroup) {
    module_.capability("WorkgroupMemoryExplicitLayoutKHR");
    module_.extension("SPV_KHR_workgroup_memory_explicit_layout");
    if (bits <= 16) module_.capability("WorkgroupMemoryExplicitLayout" + access + "KHR");
  } else if (bits <= 16) {
    module_.capability("StorageBuffer" + access);
    if (bits == 8) module_.extension("SPV_KHR_8bit_storage");
  }
}

void Writer::declareRegions() {
  // Arrays and structures with a layout are types of their own.
  auto block = [&](const std::string& name, const std::string& array_text, uint32_t stride) {
    const std::string array = module_.declare("%array_" + name, array_text);
    const std::string type = module_.declare("%block_" + name, "OpTypeStruct " + array);
    module_.decorate(array + " ArrayStride " + std::to_string(stride));
    module_.decorate(type + " Block");
    module_.decorateMember(type + " 0 Offset 0");
    return type;
  };
  auto bind = [&](const std::string& id, uint32_t binding) {
    module_.decorate(id + " DescriptorSet 0");
    module_.decorate(id + " Binding " + std::to_string(binding));
  };
  bind("%numbers", 0);
  module_.variable("%numbers", "StorageBuffer", block("numbers", "OpTypeRuntimeArray " + u32(), 4));
  for (uint32_t k = 0; k < program_.regions.size(); ++k) {
    const Region& region = program_.regions[k];
    const std::string name = std::to_string(k), id = "%region_" + name;
    const std::string storage = storageName(region.storage);
    const std::string unit = module_.vector(region.unit, region.unit_width);
    const uint32_t units = region.bytes / region.unitBytes();
    if (!hasLayout(region)) {
      module_.variable(id, storage, module_.array(unit, units));
      continue;
    }
    requireStorage(region);
    const std::string type = block(name,
                                   region.storage == Storage::Workgroup
                                       ? "OpTypeArray " + unit + " " + module_.number(units)
                                       : "OpTypeRuntimeArray " + unit,
                                   region.unitBytes());
    if (region.storage == Storage::StorageBuffer) bind(id, k + 1);
    if (region.storage == Storage::PhysicalStorageBuffer) {
      if (!region.untyped) module_.pointer(storage, type);
    } else if (region.untyped) {
      module_.untypedVariable(id, storage, type);
    } else {
      module_.variable(id, storage, type);
    }
    const std::string stepping =
        module_.declare("%stepping_" + name, "OpTypePointer " + storage + " " + unit);
    module_.decorate(stepping + " ArrayStride " + std::to_string(region.unitBytes()));
  }
}

std::string Writer::pointerType(const Region& region) {
  const char* storage = storageName(region.storage);
  if (region.untyped) return module_.untypedPointer(storage);
  return module_.pointer(storage, module_.vector(region.unit, region.unit_width));
}

std::string Writer::regionPointer(uint32_t index, const std::string& unit, std::string type) {
  const Region& region = program_.regions[index];
  const std::string name = std::to_string(index);
  if (type.empty()) type = pointerType(region);
  if (!hasLayout(region)) return emit("OpAccessChain " + type + " %region_" + name + " " + unit);
  std::string base = "%region_" + name;
  if (region.storage == Storage::PhysicalStorageBuffer) {
    result_.addresses.push_back({result_.numbers.size(), index});
    const std::string low = fromMemory(0), high = fromMemory(0);
    const std::string words = emit("OpCompositeConstruct " + module_.vector(ElementType::U32, 2) +
                                   " " + low + " " + high);
    const std::string address =
        region.untyped ? type : module_.pointer("PhysicalStorageBuffer", "%block_" + name);
    base = emit("OpBitcast " + address + " " + words);
  }
  if (region.untyped) {
    return emit("OpUntypedAccessChainKHR " + type + " %block_" + name + " " + base + " " +
                module_.number(0) + " " + unit);
  }
  return emit("OpAccessChain " + type + " " + base + " " + module_.number(0) + " " + unit);
}

std::string Writer::pointer(const Place& place) {
  const Region& region = program_.regions[place.region];
  const uint32_t unit = region.unitBytes();
  std::string index = number(place.offset / unit, place.offset_source);
  auto add = [&](const std::string& count, uint32_t step) {
    if (step == 0) return;
    const std::string distance =
        emit("OpIMul " + u32() + " " + count + " " + module_.number(step / unit));
    index = emit("OpIAdd " + u32() + " " + index + " " + distance);
  };
  if (place.scope == Scope::Workgroup) {
    if (region.storage != Storage::Workgroup) add(workgroup_, place.step);
  } else {
    std::string instance = subgroup_;
    const std::string subgroups = module_.number(program_.subgroups);
    if (place.rotation != 0) {
      instance = emit("OpIAdd " + u32() + " " + instance + " " + module_.number(place.rotation));
      instance = emit("OpUMod " + u32() + " " + instance + " " + subgroups);
    }
    if (region.storage != Storage::Workgroup && place.step != 0) {
      const std::string before = emit("OpIMul " + u32() + " " + workgroup_ + " " + subgroups);
      instance = emit("OpIAdd " + u32() + " " + before + " " + instance);
    }
    add(instance, place.step);
  }
  for (size_t k = 0; k < place.loop_steps.size(); ++k) add(counters_[k], place.loop_steps[k]);
  if (place.form == PointerForm::AccessChain) return regionPointer(place.region, index);

  const std::string plain = pointerType(region);
  if (region.storage == Storage::StorageBuffer) module_.capability("VariablePointersStorageBuffer");
  if (region.storage == Storage::Workgroup) module_.capability("VariablePointers");
  if (place.form == PointerForm::Selected) {
    const std::string right = regionPointer(place.region, index);
    const std::string first = regionPointer(place.region, module_.number(0));
    const std::string chosen = condition({Condition::Kind::Number, true});
    return emit("OpSelect " + plain + " " + chosen + " " + right + " " + first);
  }
  if (!hasLayout(region)) {
    const std::string first = regionPointer(place.region, module_.number(0));
    return emit("OpPtrAccessChain " + plain + " " + first + " " + index);
  }
  // The step is a decoration of the pointer's type, of which there is one for each region.
  const std::string stepping = "%stepping_" + std::to_string(place.region);
  const std::string start = regionPointer(place.region, module_.number(0), stepping);
  return emit("OpPtrAccessChain " + stepping + " " + start + " " + index);
}

std::string Writer::accessOperands(const Region& region, uint32_t alignment, bool is_volatile) {
  std::string flags, parameter;
  auto flag = [&](bool on, const char* name) {
    if (on) flags += std::string(flags.empty() ? " " : "|") + name;
  };
  const bool physical = region.storage == Storage::PhysicalStorageBuffer;
  flag(is_volatile, "Volatile");
  flag(physical, "Aligned");
  flag(region.exchanged, "NonPrivatePointer");
  if (physical) parameter = " " + std::to_string(alignment);
  return flags + parameter;
}

std::string Writer::layout(const Place& place) {
  // In bytes where the pointer has no type to count by.
  const Region& region = program_.regions[place.region];
  const uint32_t unit = region.untyped ? 1 : region.unitBytes();
  return " " + module_.number(place.column_major ? 1 : 0) + " " +
         scalar(place.stride_type, place.stride / unit, place.stride_source) +
         accessOperands(region, place.alignment, place.is_volatile);
}

void Writer::write(const Load& s) {
  const std::string from = pointer(s.place);
  const std::string how = layout(s.place);
  set(s.result, emit("OpCooperativeMatrixLoadKHR " + matrix(s.result) + " " + from + how));
}

void Writer::store(const std::string& matrix, const Place& place) {
  const std::string to = pointer(place);
  const std::string how = layout(place);
  line("OpCooperativeMatrixStoreKHR " + to + " " + matrix + how);
}

void Writer::write(const Store& s) { store(value(s.value), s.place); }

void Writer::write(const Stage& s) {
  const Region &from = program_.regions[s.from], &to = program_.regions[s.to];
  const uint32_t unit = from.unitBytes();
  auto plus = [&](const std::string& a, const std::string& b) {
    return emit("OpIAdd " + u32() + " " + a + " " + b);
  };
  auto times = [&](const std::string& a, uint32_t b) {
    return emit("OpIMul " + u32() + " " + a + " " + module_.number(b));
  };
  std::string start = plus(number(s.from_offset / unit, Source::Memory),
                           times(workgroup_, s.workgroup_step / unit));
  if (!counters_.empty()) start = plus(start, times(counters_.back(), s.loop_step / unit));
  forEach(local_index_, module_.number(s.bytes / unit), module_.number(program_.invocations()),
          [&](const std::string& k) {
            const std::string source = regionPointer(s.from, plus(start, k));
            const std::string x = emit("OpLoad " + module_.vector(from.unit, from.unit_width) +
                                       " " + source + accessOperands(from, unit, false));
            const std::string target =
                regionPointer(s.to, plus(module_.number(s.to_offset / unit), k));
            line("OpStore " + target + " " + x + accessOperands(to, unit, false));
          });
}

void Writer::write(const Holders& s) {
  const MatrixType& held = type(s.operand);
  const std::string matrix_type = matrix(s.operand), component = module_.scalar(held.component);
  const ElementType same_width = unsignedLike(held.component);
  auto bits = [&](const std::string& count) {
    std::string x = emit("OpIAdd " + u32() + " " + count + " " + module_.number(1));
    if (same_width != ElementType::U32)
      x = emit("OpUConvert " + module_.scalar(same_width) + " " + x);
    if (same_width != held.component) x = emit("OpBitcast " + component + " " + x);
    return x;
  };
  const std::string operand = functionVariable(matrix_type), lanes = functionVariable(matrix_type),
                    indices = functionVariable(matrix_type);
  line("OpStore " + operand + " " + value(s.operand));
  const std::string count = length(s.operand);
  // The invocation in its workgroup, and among all.
  std::string local =
      emit("OpIMul " + u32() + " " + subgroup_ + " " + module_.number(program_.subgroup_size));
  local = emit("OpIAdd " + u32() + " " + local + " " + lane_);
  std::string invocation =
      emit("OpIMul " + u32() + " " + workgroup_ + " " + module_.number(program_.invocations()));
  invocation = emit("OpIAdd " + u32() + " " + invocation + " " + local);
  const std::string holder = held.scope == Scope::Workgroup ? local : lane_;
  const std::string row =
      emit("OpIMul " + u32() + " " + invocation + " " + module_.number(kMaxHeld));
  forEach(module_.number(0), count, module_.number(1), [&](const std::string& k) {
    auto at = [&](const std::string& variable) {
      return emit("OpAccessChain " + module_.pointer("Function", component) + " " + variable + " " +
                  k);
    };
    const std::string x = emit("OpLoad " + component + " " + at(operand));
    line("OpStore " + at(lanes) + " " + bits(holder));
    line("OpStore " + at(indices) + " " + bits(k));
    const std::string place = emit("OpIAdd " + u32() + " " + row + " " + k);
    line("OpStore " + regionPointer(s.held, place) + " " + x);
  });
  line("OpStore " + regionPointer(s.lengths, invocation) + " " + count);
  store(emit("OpLoad " + matrix_type + " " + lanes), s.lanes);
  store(emit("OpLoad " + matrix_type + " " + indices), s.indices);
}

}  // namespace matrices
