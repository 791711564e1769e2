// SPDX-License-Identifier: Apache-2.0

#include "tests/matrix/overlap_writer.h"

#include <algorithm>
#include <functional>

#include "tests/matrix/overlap_memory_text.h"

namespace matrices::overlaps {
namespace {

constexpr uint32_t kDeviceScope = 1, kWorkgroupScope = 2, kSubgroupScope = 3;
constexpr uint32_t kAcquireRelease = 0x8, kUniformMemory = 0x40, kWorkgroupMemory = 0x100;
constexpr uint32_t kMakeAvailable = 0x2000, kMakeVisible = 0x4000;
constexpr uint32_t kOrdered =
    kAcquireRelease | kUniformMemory | kWorkgroupMemory | kMakeAvailable | kMakeVisible;
// An atomic operation orders what is of its own storage class, too.
constexpr uint32_t kOrderedAtomic = kAcquireRelease | kUniformMemory | kWorkgroupMemory;

class Writer : MemoryText {
 public:
  explicit Writer(const Program& program) : MemoryText(program), names_(program.values.size()) {}

  ProgramText write() {
    for (const char* name : {"Shader", "GroupNonUniform", "CooperativeMatrixKHR",
                             "VulkanMemoryModel", "VulkanMemoryModelDeviceScope"})
      module_.capability(name);
    module_.extension("SPV_KHR_cooperative_matrix");
    if (program_.has_addresses) {
      module_.capability("PhysicalStorageBufferAddresses");
      module_.extension("SPV_KHR_physical_storage_buffer");
    }
    module_.executionMode("LocalSize " + std::to_string(program_.invocations()) + " 1 1");
    result_.numbers.assign(2, 0);
    declareMemory();
    auto input = [&](const std::string& id, const std::string& builtin, const std::string& type) {
      module_.decorate(id + " BuiltIn " + builtin);
      module_.variable(id, "Input", type);
      return emit("OpLoad " + type + " " + id);
    };
    label("%start");
    body_.clear();
    subgroup_ = input("%subgroup_id", "SubgroupId", u32());
    index_ = input("%local_index", "LocalInvocationIndex", u32());
    const std::string id =
        input("%workgroup_id", "WorkgroupId", module_.vector(ElementType::U32, 3));
    workgroup_ = emit("OpCompositeExtract " + u32() + " " + id + " 0");
    if (program_.has_shared) copyPart(Path::Other, "", Path::Shared, "");
    write(program_.main);
    if (program_.has_shared) {
      write(Barrier{Scope::Workgroup, Barrier::Form::Control});
      copyPart(Path::Shared, "", Path::Other, "%result");
    }
    line("OpReturn");
    const std::string nothing = module_.declared("void", "OpTypeVoid");
    const std::string type = module_.function(nothing, {});
    const std::string main = "%main = OpFunction " + nothing + " None " + type +
                             "\n%start = OpLabel\n" + variables_ + body_ + "OpFunctionEnd\n";
    result_.text = module_.assemble(
        program_.has_addresses ? "PhysicalStorageBuffer64 Vulkan" : "Logical Vulkan", main);
    result_.specializations = module_.specializations();
    return std::move(result_);
  }

 private:
  const MatrixType& type(ValueId id) const { return program_.values[id]; }
  std::string matrix(ValueId id) { return module_.matrix(type(id), false); }
  void set(ValueId id, const std::string& name) { names_[id] = name; }

  void copyPart(Path from, const std::string& from_variable, Path to,
                const std::string& to_variable) {
    forEach(index_, constant(program_.part() / 4), constant(program_.invocations()),
            [&](const std::string& k) {
              auto at = [&](Path path, const std::string& variable) {
                std::string number = k;
                if (memoryOf(path) != Memory::Shared)
                  number = plus(number, times(workgroup_, program_.part() / 4));
                return pointer(path, number, variable);
              };
              const std::string x =
                  emit("OpLoad " + u32() + " " + at(from, from_variable) + access(from, 4));
              line("OpStore " + at(to, to_variable) + " " + x + access(to, 4));
            });
    write(Barrier{Scope::Workgroup, Barrier::Form::Control});
  }

  // for (i = first; i < end; i += step): `body` gets i.
  void forEach(const std::string& first, const std::string& end, const std::string& step,
               const std::function<void(const std::string&)>& body) {
    const std::string head = fresh("head"), test = fresh("test"), inside = fresh("inside"),
                      next = fresh("next"), after = fresh("after"), i = fresh("i"),
                      i_next = fresh("i_next"), before = block_label_;
    line("OpBranch " + head);
    label(head);
    line(i + " = OpPhi " + u32() + " " + first + " " + before + " " + i_next + " " + next);
    line("OpLoopMerge " + after + " " + next + " None");
    line("OpBranch " + test);
    label(test);
    line("OpBranchConditional " + emit("OpULessThan " + boolean() + " " + i + " " + end) + " " +
         inside + " " + after);
    label(inside);
    body(i);
    line("OpBranch " + next);
    label(next);
    line(i_next + " = OpIAdd " + u32() + " " + i + " " + step);
    line("OpBranch " + head);
    label(after);
  }

  void write(const Block& block) {
    for (const Statement& statement : block.statements)
      std::visit([this](const auto& s) { write(s); }, statement);
  }

  using MemoryText::pointer;
  std::string pointer(const Place& place) {
    const uint32_t unit = program_.unit(place.path).bytes();
    std::string index = number(place.offset / unit, place.offset_source);
    if (place.scope == Scope::Subgroup && program_.subgroups > 1) {
      std::string home = subgroup_;
      if (place.rotation != 0)
        home = emit("OpUMod " + u32() + " " + plus(home, constant(place.rotation)) + " " +
                    constant(program_.subgroups));
      index = plus(index, times(home, program_.home / unit));
    }
    if (memoryOf(place.path) != Memory::Shared && program_.workgroups > 1)
      index = plus(index, times(workgroup_, program_.part() / unit));
    if (place.loop_step != 0) index = plus(index, times(counter_, place.loop_step / unit));
    return pointer(place.path, index);
  }

  // The layout and view of a tensor.
  struct Tensor {
    std::string layout, view;
  };
  Tensor tensor(const Place& place, const MatrixType& type) {
    module_.capability("CooperativeMatrixTensorAddressingNV");
    module_.capability("TensorAddressingNV");
    for (const char* name : {"SPV_NV_tensor_addressing", "SPV_NV_cooperative_matrix2"})
      module_.extension(name);
    const Place::Tensor& t = *place.tensor;
    const uint32_t lines = place.column_major ? type.columns : type.rows;
    const uint32_t length = place.column_major ? type.rows : type.columns;
    const uint32_t bytes = kernels::elementInfo(type.component).bytes();
    // Only a slice that is inside may leave open what is outside.
    const bool is_inside = t.first_line >= 0 && t.first_line + lines <= t.lines &&
                           static_cast<uint32_t>(t.first) + length <= t.length;
    const uint32_t clamp = is_inside && place.offset % 32 == 0 ? 0 : 1;
    const std::string layout_type =
        module_.declared("tensor_layout_" + std::to_string(clamp),
                         "OpTypeTensorLayoutNV " + constant(2) + " " + constant(clamp));
    std::string layout = emit("OpCreateTensorLayoutNV " + layout_type);
    auto then = [&](const std::string& what, std::initializer_list<uint32_t> numbers) {
      std::string operands;
      for (uint32_t n : numbers) operands += " " + number(n, place.stride_source);
      layout = emit(what + " " + layout_type + " " + layout + operands);
    };
    then("OpTensorLayoutSetDimensionNV", {t.lines, t.length});
    then("OpTensorLayoutSetStrideNV", {place.stride / bytes, 1});
    then("OpTensorLayoutSliceNV",
         {static_cast<uint32_t>(t.first_line), lines, static_cast<uint32_t>(t.first), length});
    if (!place.column_major) return {layout, ""};
    const std::string no = module_.declared("false", "OpConstantFalse " + boolean());
    const std::string view_type =
        module_.declared("tensor_view", "OpTypeTensorViewNV " + constant(2) + " " + no + " " +
                                            constant(1) + " " + constant(0));
    return {layout, emit("OpCreateTensorViewNV " + view_type)};
  }

  // Memory and tensor operands, as words: SPIRV-Tools does not read a mask of several names here.
  std::string operandsOf(const Place& place, const Tensor& tensor) const {
    constexpr uint32_t kVolatile = 1, kAligned = 2, kNonPrivate = 0x20;
    const bool physical = place.path == Path::Address;
    const uint32_t mask =
        kNonPrivate | (place.is_volatile ? kVolatile : 0) | (physical ? kAligned : 0);
    std::string text = " !" + std::to_string(mask);
    if (physical) text += " !" + std::to_string(program_.unit(place.path).bytes());
    return text + (tensor.view.empty() ? " !0" : " !1 " + tensor.view);
  }

  // Layout, stride and memory operands.
  std::string plain(const Place& place, const MatrixType& type) {
    const Unit& unit = program_.unit(place.path);
    const uint32_t alignment = std::max(unit.bytes(), kernels::elementInfo(type.component).bytes());
    return " " + constant(place.column_major ? 1 : 0) + " " +
           number(place.stride / unit.bytes(), place.stride_source) +
           access(place.path, alignment, place.is_volatile);
  }

  void write(const Load& s) {
    const std::string from = pointer(s.place);
    if (!s.place.tensor) {
      const std::string how = plain(s.place, type(s.result));
      set(s.result, emit("OpCooperativeMatrixLoadKHR " + matrix(s.result) + " " + from + how));
      return;
    }
    const Tensor t = tensor(s.place, type(s.result));
    const std::string before = module_.null(matrix(s.result));
    set(s.result, emit("OpCooperativeMatrixLoadTensorNV " + matrix(s.result) + " " + from + " " +
                       before + " " + t.layout + operandsOf(s.place, t)));
  }

  void write(const Store& s) {
    const std::string to = pointer(s.place);
    if (!s.place.tensor) {
      const std::string how = plain(s.place, type(s.value));
      line("OpCooperativeMatrixStoreKHR " + to + " " + names_[s.value] + how);
      return;
    }
    const Tensor t = tensor(s.place, type(s.value));
    line("OpCooperativeMatrixStoreTensorNV " + to + " " + names_[s.value] + " " + t.layout +
         operandsOf(s.place, t));
  }

  void write(const Double& s) {
    set(s.result,
        emit("OpIAdd " + matrix(s.result) + " " + names_[s.operand] + " " + names_[s.operand]));
  }

  void write(const Product& s) {
    std::string flags;
    auto flag = [&](ElementType type, const char* name) {
      if (kernels::elementInfo(type).kind == kernels::ElementKind::Signed)
        flags += std::string(flags.empty() ? " " : "|") + name;
    };
    flag(s.row.a, "MatrixASignedComponentsKHR");
    flag(s.row.b, "MatrixBSignedComponentsKHR");
    flag(s.row.c, "MatrixCSignedComponentsKHR");
    flag(s.row.result, "MatrixResultSignedComponentsKHR");
    set(s.result, emit("OpCooperativeMatrixMulAddKHR " + matrix(s.result) + " " + names_[s.a] +
                       " " + names_[s.b] + " " + names_[s.c] + flags));
  }

  // Where the invocation's own words begin.
  std::string laneOffset(Path path, uint32_t offset, uint32_t step, uint32_t loop_step) {
    std::string at = plus(times(index_, step), constant(offset));
    if (loop_step != 0) at = plus(at, times(counter_, loop_step));
    return partOffset(path, at);
  }

  void write(const LaneCopy& s) {
    const std::string from = laneOffset(s.from, s.from_offset, s.step, s.loop_step);
    const std::string to = laneOffset(s.to, s.to_offset, s.step, s.loop_step);
    if (s.form == LaneCopy::Form::Whole) {
      const std::string run = runOfWords(s.words);
      const std::string source = addressOf(run, from), target = addressOf(run, to);
      line("OpCopyMemory " + target + " " + source + access(Path::Address, 4));
      return;
    }
    std::vector<std::string> words;
    auto storeWord = [&](uint32_t k) {
      const Word target = word(s.to, plus(to, constant(4 * k)));
      line("OpStore " + target.pointer + " " + words[k] + target.operands);
    };
    const bool interleaved = s.form == LaneCopy::Form::WordByWord;
    for (uint32_t k = 0; k < s.words; ++k) {
      const Word source = word(s.from, plus(from, constant(4 * k)));
      words.push_back(emit("OpLoad " + u32() + " " + source.pointer + source.operands));
      if (interleaved) storeWord(k);
    }
    for (uint32_t k = 0; k < s.words && !interleaved; ++k) storeWord(k);
  }

  void write(const LaneAtomic& s) {
    const Word at = word(s.path, laneOffset(s.path, s.offset, s.step, s.loop_step));
    const std::string before =
        emit((s.exchanges ? "OpAtomicExchange " : "OpAtomicIAdd ") + u32() + " " + at.pointer +
             " " + constant(s.device ? kDeviceScope : kWorkgroupScope) + " " +
             constant(s.orders ? kOrderedAtomic : 0) + " " + constant(s.operand));
    const Word result =
        word(s.result_path, laneOffset(s.result_path, s.result_offset, s.step, s.loop_step));
    line("OpStore " + result.pointer + " " + before + result.operands);
  }

  void write(const Barrier& s) {
    const std::string scope =
        constant(s.scope == Scope::Workgroup ? kWorkgroupScope : kSubgroupScope);
    const std::string semantics = constant(kOrdered);
    switch (s.form) {
      case Barrier::Form::Control:
        return line("OpControlBarrier " + scope + " " + scope + " " + semantics);
      case Barrier::Form::DeviceMemory:
        return line("OpControlBarrier " + scope + " " + constant(kDeviceScope) + " " + semantics);
      case Barrier::Form::Fences:
        line("OpMemoryBarrier " + scope + " " + semantics);
        line("OpControlBarrier " + scope + " " + scope + " " + constant(0));
        return line("OpMemoryBarrier " + scope + " " + semantics);
    }
  }

  void write(const Repeat& s) {
    std::string variable;
    if (s.carried) {
      const std::string type = matrix(s.carried->inner);
      variable = fresh("carried");
      variables_ += variable + " = OpVariable " + module_.pointer("Function", type) + " Function\n";
      line("OpStore " + variable + " " + names_[s.carried->initial]);
    }
    forEach(constant(0), number(s.count, s.source), constant(1), [&](const std::string& i) {
      counter_ = i;
      if (s.carried)
        set(s.carried->inner, emit("OpLoad " + matrix(s.carried->inner) + " " + variable));
      write(s.body[0]);
      if (s.carried) line("OpStore " + variable + " " + names_[s.carried->next]);
    });
    if (s.carried)
      set(s.carried->result, emit("OpLoad " + matrix(s.carried->result) + " " + variable));
  }

  void write(const Only& s) {
    const std::string then = fresh("then"), merge = fresh("merge");
    const std::string chosen = emit("OpINotEqual " + boolean() + " " +
                                    number(s.truth ? 1 : 0, Source::Memory) + " " + constant(0));
    line("OpSelectionMerge " + merge + " None");
    line("OpBranchConditional " + chosen + " " + then + " " + merge);
    label(then);
    write(s.body[0]);
    line("OpBranch " + merge);
    label(merge);
  }

  std::vector<std::string> names_;  // of values
  std::string variables_, counter_, subgroup_, index_;
};

}  // namespace

ProgramText writeProgram(const Program& program) { return Writer(program).write(); }

}  // namespace matrices::overlaps
