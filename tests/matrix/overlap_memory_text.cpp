// SPDX-License-Identifier: Apache-2.0

#include "tests/matrix/overlap_memory_text.h"

namespace matrices::overlaps {
namespace {

constexpr const char* kNames[kPaths] = {"%first", "%second", "", "%other", "%shared", "%shared_2"};

const char* storageOf(Path path) {
  if (path == Path::Address) return "PhysicalStorageBuffer";
  return memoryOf(path) == Memory::Shared ? "Workgroup" : "StorageBuffer";
}

}  // namespace

std::string MemoryText::number(uint32_t value, Source source) {
  if (source == Source::Constant) return constant(value);
  if (source == Source::Specialization) return module_.specialization(ElementType::U32, value);
  const std::string index = constant(static_cast<uint32_t>(result_.numbers.size()));
  result_.numbers.push_back(value);
  return fromMemory(index);
}

std::string MemoryText::fromMemory(const std::string& index) {
  const std::string pointer = emit("OpAccessChain " + module_.pointer("StorageBuffer", u32()) +
                                   " %numbers " + constant(0) + " " + index);
  return emit("OpLoad " + u32() + " " + pointer);
}

std::string MemoryText::block(const std::string& name, const Unit& unit, uint32_t count) {
  const uint32_t bits = kernels::elementInfo(unit.type).bits;
  const std::string element = module_.vector(unit.type, unit.width);
  const std::string array = module_.declare(
      "%array_" + name, count != 0 ? "OpTypeArray " + element + " " + constant(count)
                                   : "OpTypeRuntimeArray " + element);
  const std::string type = module_.declare("%block_" + name, "OpTypeStruct " + array);
  module_.decorate(array + " ArrayStride " + std::to_string(unit.bytes()));
  module_.decorate(type + " Block");
  module_.decorateMember(type + " 0 Offset 0");
  if (bits <= 16) {
    const std::string access = std::to_string(bits) + "BitAccess";
    module_.capability(count != 0 ? "WorkgroupMemoryExplicitLayout" + access + "KHR"
                                  : "StorageBuffer" + access);
    if (bits == 8) module_.extension("SPV_KHR_8bit_storage");
  }
  return type;
}

void MemoryText::declareMemory() {
  auto buffer = [&](const std::string& id, uint32_t binding, const Unit& unit) {
    module_.decorate(id + " DescriptorSet 0");
    module_.decorate(id + " Binding " + std::to_string(binding));
    module_.variable(id, "StorageBuffer", block(id.substr(1), unit, 0));
  };
  buffer("%numbers", 0, {});
  buffer("%first", 1, program_.unit(Path::First));
  buffer("%second", 2, program_.unit(Path::Second));
  buffer("%other", 3, program_.unit(Path::Other));
  for (const char* id : {"%first", "%second"}) module_.decorate(std::string(id) + " Aliased");
  if (program_.has_addresses)
    module_.pointer("PhysicalStorageBuffer", block("address", program_.unit(Path::Address), 0));
  if (!program_.has_shared) return;
  buffer("%result", 4, {});
  if (!program_.shared_twice) {
    module_.variable("%shared", "Workgroup", module_.array(u32(), program_.part() / 4));
    return;
  }
  module_.capability("WorkgroupMemoryExplicitLayoutKHR");
  module_.extension("SPV_KHR_workgroup_memory_explicit_layout");
  for (Path path : {Path::Shared, Path::SharedAgain}) {
    const std::string id = kNames[static_cast<size_t>(path)];
    const Unit& unit = program_.unit(path);
    module_.variable(id, "Workgroup", block(id.substr(1), unit, program_.part() / unit.bytes()));
    module_.decorate(id + " Aliased");
  }
}

std::string MemoryText::address() {
  return emit("OpCompositeConstruct " + module_.vector(ElementType::U32, 2) + " " +
              fromMemory(constant(0)) + " " + fromMemory(constant(1)));
}

std::string MemoryText::pointer(Path path, const std::string& unit_number,
                                const std::string& variable) {
  const Unit& unit = program_.unit(path);
  const std::string type = module_.pointer(storageOf(path), module_.vector(unit.type, unit.width));
  std::string base = variable.empty() ? kNames[static_cast<size_t>(path)] : variable;
  if (path == Path::Address) {
    base = emit("OpBitcast " + module_.pointer("PhysicalStorageBuffer", "%block_address") + " " +
                address());
  }
  const bool is_bare = memoryOf(path) == Memory::Shared && !program_.shared_twice;
  return emit("OpAccessChain " + type + " " + base + " " + (is_bare ? "" : constant(0) + " ") +
              unit_number);
}

std::string MemoryText::access(Path path, uint32_t alignment, bool is_volatile) {
  const bool physical = path == Path::Address;
  return std::string(is_volatile ? " Volatile|" : " ") + (physical ? "Aligned|" : "") +
         "NonPrivatePointer" + (physical ? " " + std::to_string(alignment) : "");
}

MemoryText::Word MemoryText::word(Path path, const std::string& byte_offset) {
  if (path == Path::Address && !program_.unit(path).isWord()) {
    const std::string array = runOfWords(1);
    const std::string pointer =
        emit("OpAccessChain " + module_.pointer("PhysicalStorageBuffer", u32()) + " " +
             addressOf(array, byte_offset) + " " + constant(0));
    return {pointer, access(path, 4)};
  }
  const std::string number =
      emit("OpShiftRightLogical " + u32() + " " + byte_offset + " " + constant(2));
  return {pointer(path, number), access(path, 4)};
}

std::string MemoryText::runOfWords(uint32_t words) {
  const std::string id = "%run_" + std::to_string(words);
  if (runs_.insert(id).second) {
    module_.declare(id, "OpTypeArray " + u32() + " " + constant(words));
    module_.decorate(id + " ArrayStride 4");
  }
  return id;
}

std::string MemoryText::addressOf(const std::string& type, const std::string& byte_offset) {
  const std::string wide = module_.scalar(ElementType::U64);
  const std::string start = emit("OpBitcast " + wide + " " + address());
  const std::string offset = emit("OpUConvert " + wide + " " + byte_offset);
  const std::string sum = emit("OpIAdd " + wide + " " + start + " " + offset);
  return emit("OpConvertUToPtr " + module_.pointer("PhysicalStorageBuffer", type) + " " + sum);
}

std::string MemoryText::partOffset(Path path, const std::string& offset) {
  if (memoryOf(path) == Memory::Shared || program_.workgroups == 1) return offset;
  return plus(offset, times(workgroup_, program_.part()));
}

}  // namespace matrices::overlaps
