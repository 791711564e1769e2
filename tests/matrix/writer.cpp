// SPDX-License-Identifier: Apache-2.0

#include "tests/matrix/writer.h"

namespace matrices {

ProgramText writeProgram(const Program& program) { return Writer(program).write(); }

ProgramText Writer::write() {
  module_.capability("Shader");
  module_.capability("GroupNonUniform");
  module_.capability("CooperativeMatrixKHR");
  module_.extension("SPV_KHR_cooperative_matrix");
  module_.capability("VulkanMemoryModel");
  module_.executionMode("LocalSize " + std::to_string(program_.invocations()) + " 1 1");
  if (program_.float_controls) {
    module_.extension("SPV_KHR_float_controls");
    for (const char* mode : {"RoundingModeRTE", "SignedZeroInfNanPreserve"}) {
      module_.capability(mode);
      for (const char* width : {" 16", " 32", " 64"})
        module_.executionMode(mode + std::string(width));
    }
  }
  const std::string nothing = module_.declared("void", "OpTypeVoid");
  declareRegions();

  const std::string uint3 = module_.vector(ElementType::U32, 3);
  auto input = [&](const std::string& id, const std::string& builtin, const std::string& type) {
    module_.decorate(id + " BuiltIn " + builtin);
    module_.variable(id, "Input", type);
    return emit("OpLoad " + type + " " + id);
  };
  block_label_ = "%start";
  subgroup_ = input("%subgroup_id", "SubgroupId", u32());
  lane_ = input("%lane_id", "SubgroupLocalInvocationId", u32());
  local_index_ = input("%local_index", "LocalInvocationIndex", u32());
  workgroup_ = emit("OpCompositeExtract " + u32() + " " +
                    input("%workgroup_id", "WorkgroupId", uint3) + " 0");
  write(program_.main);
  line("OpReturn");

  const std::string type = module_.function(nothing, {});
  const std::string main = "%main = OpFunction " + nothing + " None " + type +
                           "\n%start = OpLabel\n" + variables_ + body_ + "OpFunctionEnd\n";
  bool physical = false;
  for (const Region& region : program_.regions)
    physical |= region.storage == Storage::PhysicalStorageBuffer;
  if (physical) {
    module_.capability("PhysicalStorageBufferAddresses");
    module_.extension("SPV_KHR_physical_storage_buffer");
  }
  const char* model = physical ? "PhysicalStorageBuffer64 Vulkan" : "Logical Vulkan";
  result_.text = module_.assemble(model, main + functions_);
  result_.specializations = module_.specializations();
  return std::move(result_);
}

std::string Writer::emit(const std::string& text) {
  std::string id = fresh("t");
  line(id + " = " + text);
  return id;
}

void Writer::label(const std::string& name) {
  line(name + " = OpLabel");
  block_label_ = name;
}

std::string Writer::fromMemory(uint32_t value) {
  const std::string index = module_.number(static_cast<uint32_t>(result_.numbers.size()));
  result_.numbers.push_back(value);
  const std::string pointer = emit("OpAccessChain " + module_.pointer("StorageBuffer", u32()) +
                                   " %numbers " + module_.number(0) + " " + index);
  return emit("OpLoad " + u32() + " " + pointer);
}

std::string Writer::number(uint32_t value, Source source) {
  return scalar(ElementType::U32, value, source);
}

std::string Writer::scalar(ElementType type, uint64_t bits, Source source) {
  const kernels::ElementInfo& info = kernels::elementInfo(type);
  if (source == Source::Constant) return module_.constant(type, bits);
  if (source == Source::Specialization) return module_.specialization(type, bits);
  if (info.bits == 64) {
    const std::string low = fromMemory(static_cast<uint32_t>(bits)),
                      high = fromMemory(static_cast<uint32_t>(bits >> 32));
    const std::string words = emit("OpCompositeConstruct " + module_.vector(ElementType::U32, 2) +
                                   " " + low + " " + high);
    return emit("OpBitcast " + module_.scalar(type) + " " + words);
  }
  std::string word = fromMemory(static_cast<uint32_t>(bits));
  if (type == ElementType::U32) return word;
  ElementType same_width = ElementType::U32;
  if (info.bits == 8) same_width = ElementType::U8;
  if (info.bits == 16) same_width = ElementType::U16;
  if (info.bits != 32) word = emit("OpUConvert " + module_.scalar(same_width) + " " + word);
  if (type == same_width) return word;
  return emit("OpBitcast " + module_.scalar(type) + " " + word);
}

std::string Writer::condition(const Condition& condition) {
  if (condition.kind == Condition::Kind::Number) {
    return emit("OpINotEqual " + boolean() + " " + fromMemory(condition.truth ? 1 : 0) + " " +
                module_.number(0));
  }
  const std::string& index =
      condition.kind == Condition::Kind::SubgroupParity ? subgroup_ : workgroup_;
  const std::string bit = emit("OpBitwiseAnd " + u32() + " " + index + " " + module_.number(1));
  return emit("OpIEqual " + boolean() + " " + bit + " " + module_.number(condition.truth ? 1 : 0));
}

std::string Writer::functionVariable(const std::string& type) {
  std::string id = fresh("variable");
  variables_ += id + " = OpVariable " + module_.pointer("Function", type) + " Function\n";
  return id;
}

void Writer::forEach(const std::string& first, const std::string& end, const std::string& step,
                     const std::function<void(const std::string&)>& body) {
  const std::string head = fresh("head"), test = fresh("test"), inside = fresh("inside"),
                    next = fresh("next"), after = fresh("after"), i = fresh("i"),
                    i_next = fresh("i_next");
  const std::string before = block_label_;
  branchTo(head);
  label(head);
  line(i + " = OpPhi " + u32() + " " + first + " " + before + " " + i_next + " " + next);
  line("OpLoopMerge " + after + " " + next + " None");
  branchTo(test);
  label(test);
  line("OpBranchConditional " + emit("OpULessThan " + boolean() + " " + i + " " + end) + " " +
       inside + " " + after);
  label(inside);
  body(i);
  branchTo(next);
  label(next);
  line(i_next + " = OpIAdd " + u32() + " " + i + " " + step);
  branchTo(head);
  label(after);
}

void Writer::onlyIf(const std::string& condition, const std::function<void()>& body) {
  const std::string then = fresh("then"), merge = fresh("merge");
  line("OpSelectionMerge " + merge + " None");
  line("OpBranchConditional " + condition + " " + then + " " + merge);
  label(then);
  body();
  branchTo(merge);
  label(merge);
}

std::string Writer::length(ValueId id) {
  return emit("OpCooperativeMatrixLengthKHR " + u32() + " " + matrix(id));
}

void Writer::write(const Block& block) {
  for (const Statement& statement : block.statements)
    std::visit([this](const auto& s) { write(s); }, statement);
}

void Writer::write(const Branch& s) {
  const std::string then = fresh("then"), otherwise = fresh("else"), merge = fresh("merge");
  const std::string chosen = condition(s.condition);
  line("OpSelectionMerge " + merge + " None");
  line("OpBranchConditional " + chosen + " " + then + " " + otherwise);
  std::string ends[2];
  for (size_t way : {0, 1}) {
    label(way == 0 ? then : otherwise);
    write(s.ways[way]);
    ends[way] = block_label_;
    branchTo(merge);
  }
  label(merge);
  for (const Branch::Merge& m : s.merges) {
    set(m.result, emit("OpPhi " + matrix(m.result) + " " + value(m.first) + " " + ends[0] + " " +
                       value(m.second) + " " + ends[1]));
  }
}

void Writer::write(const Loop& s) {
  using Carry = Loop::Carry;
  const std::string end = number(s.count, s.source);
  std::vector<std::string> places;  // variables of what is carried
  if (s.carry == Carry::Array && !s.carried.empty()) {
    const std::string element = matrix(s.carried[0].inner);
    const auto count = static_cast<uint32_t>(s.carried.size());
    const std::string array = functionVariable(module_.array(element, count));
    for (uint32_t k = 0; k < count; ++k) {
      places.push_back(emit("OpAccessChain " + module_.pointer("Function", element) + " " + array +
                            " " + module_.number(k)));
    }
  } else if (s.carry == Carry::Variables) {
    for (const Loop::Carried& c : s.carried) places.push_back(functionVariable(matrix(c.inner)));
  }
  for (size_t k = 0; k < places.size(); ++k)
    line("OpStore " + places[k] + " " + value(s.carried[k].initial));

  const std::string head = fresh("head"), test = fresh("test"), inside = fresh("inside"),
                    next = fresh("next"), after = fresh("after"), i = fresh("i"),
                    i_next = fresh("i_next");
  const std::string before = block_label_;
  branchTo(head);
  label(head);
  line(i + " = OpPhi " + u32() + " " + module_.number(0) + " " + before + " " + i_next + " " +
       next);
  std::vector<std::string> phis;
  const size_t phis_at = body_.size();
  line("OpLoopMerge " + after + " " + next + " None");
  branchTo(test);
  label(test);
  line("OpBranchConditional " + emit("OpULessThan " + boolean() + " " + i + " " + end) + " " +
       inside + " " + after);
  label(inside);
  for (size_t k = 0; k < s.carried.size(); ++k) {
    const Loop::Carried& c = s.carried[k];
    if (places.empty()) {
      set(c.inner, phis.emplace_back(fresh("phi")));
    } else {
      set(c.inner, emit("OpLoad " + matrix(c.inner) + " " + places[k]));
    }
  }
  counters_.push_back(i);
  write(s.body[0]);
  counters_.pop_back();
  for (size_t k = 0; k < places.size(); ++k)
    line("OpStore " + places[k] + " " + value(s.carried[k].next));
  branchTo(next);
  label(next);
  line(i_next + " = OpIAdd " + u32() + " " + i + " " + module_.number(1));
  branchTo(head);
  label(after);
  std::string made;
  for (size_t k = 0; k < s.carried.size(); ++k) {
    const Loop::Carried& c = s.carried[k];
    if (places.empty()) {
      made += phis[k] + " = OpPhi " + matrix(c.inner) + " " + value(c.initial) + " " + before +
              " " + value(c.next) + " " + next + "\n";
      set(c.result, phis[k]);
    } else {
      set(c.result, emit("OpLoad " + matrix(c.result) + " " + places[k]));
    }
  }
  body_.insert(phis_at, made);
}

void Writer::write(const Barrier&) {
  constexpr uint32_t kWorkgroup = 2;
  constexpr uint32_t kAcquireRelease = 0x8, kUniformMemory = 0x40, kWorkgroupMemory = 0x100;
  constexpr uint32_t kMakeAvailable = 0x2000, kMakeVisible = 0x4000;
  constexpr uint32_t kSemantics =
      kAcquireRelease | kUniformMemory | kWorkgroupMemory | kMakeAvailable | kMakeVisible;
  const std::string scope = module_.number(kWorkgroup);
  line("OpControlBarrier " + scope + " " + scope + " " + module_.number(kSemantics));
}

}  // namespace matrices
