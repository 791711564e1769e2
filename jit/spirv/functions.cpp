// SPDX-License-Identifier: Apache-2.0

// Functions as they stand in the module: blocks with their merges, terminators and locations.
#include <optional>

#include "jit/base/debug.h"
#include "jit/base/error.h"
#include "jit/spirv/called_function.h"
#include "jit/spirv/debug_lines.h"
#include "jit/spirv/debug_variables.h"
#include "jit/spirv/reading.h"
#include "jit/spirv/spelling.h"

namespace jit::spirv {

namespace {

// Instructions of one function, as indices: [begin, end), OpFunction and OpFunctionEnd included.
struct Range {
  uint32_t begin, end;
};

bool isTerminator(spv::Op op) {
  switch (op) {
    case spv::Op::OpBranch:
    case spv::Op::OpBranchConditional:
    case spv::Op::OpSwitch:
    case spv::Op::OpReturn:
    case spv::Op::OpReturnValue:
    case spv::Op::OpUnreachable:
    case spv::Op::OpKill:
    case spv::Op::OpTerminateInvocation:
      return true;
    default:
      return false;
  }
}

class FunctionReader {
 public:
  // `by_name`: debuggers know variables by OpName.
  FunctionReader(Reading& reading, Range range, uint32_t first_function, bool by_name,
                 std::unordered_set<Id>& used)
      : reading_(reading),
        range_(range),
        first_function_(first_function),
        by_name_(by_name),
        lines_(reading),
        used_(used) {}

  llvm::Expected<Function> read() {
    const auto instructions = reading_.binary.instructions();
    for (uint32_t i = range_.begin; i < range_.end; ++i) {
      const RawInstruction& raw = instructions[i];
      if (llvm::Error error = readOne(raw)) return inFunction(std::move(error));
    }
    if (block_) return malformed(where() + ": the last block has no terminator");
    if (function_.blocks.empty())
      return unsupported(where() + " has no body; linking modules is not supported");
    if (by_name_) declareByName(reading_, function_);
    return std::move(function_);
  }

 private:
  std::string where() const { return "function " + reading_.module.describe(function_.id); }

  llvm::Error inFunction(llvm::Error error) const {
    return llvm::handleErrors(std::move(error), [&](std::unique_ptr<Failure> failure) {
      failure->message += " (in " + where() + ")";
      return llvm::Error(std::move(failure));
    });
  }

  llvm::Error readOne(const RawInstruction& raw) {
    if (lines_.read(raw)) {
      if (is_debugged_ && block_) readDebugVariable(reading_, raw, lines_.location(), *block_);
      return llvm::Error::success();
    }
    switch (raw.op) {
      case spv::Op::OpFunction:
        return readHead(raw);
      case spv::Op::OpFunctionEnd:
      case spv::Op::OpNop:
        return llvm::Error::success();
      case spv::Op::OpLabel:
        return readLabel(raw);
      default:
        break;
    }
    if (isUnusable(raw)) return llvm::Error::success();
    llvm::Expected<Instruction> instruction = decode(raw);
    if (!instruction) return instruction.takeError();
    if (raw.op == spv::Op::OpFunctionParameter) {
      function_.parameters.push_back(raw.result);
      return llvm::Error::success();
    }
    if (!block_)
      return malformed(reading_.module.describe(*instruction) + " is outside of a block");
    if (raw.op == spv::Op::OpVariable || raw.op == spv::Op::OpUntypedVariableKHR) {
      llvm::Expected<Variable> variable = readVariable(reading_, raw);
      if (!variable) return variable.takeError();
      function_.variables.push_back(*variable);
      return llvm::Error::success();
    }
    if (raw.op == spv::Op::OpSelectionMerge || raw.op == spv::Op::OpLoopMerge)
      return readMerge(*instruction);
    if (raw.op == spv::Op::OpAbortKHR) return readAbort(*instruction);
    if (isTerminator(raw.op)) return readTerminator(std::move(*instruction));
    if (raw.op == spv::Op::OpPhi) {
      if (llvm::Error error = checkPhi(*instruction)) return error;
    }
    block_->instructions.push_back(*instruction);
    return llvm::Error::success();
  }

  // An undefined value of a type that was refused, an image for one: as a declaration, it fails
  // only where it is used.
  bool isUnusable(const RawInstruction& raw) {
    auto reason = reading_.refused.find(raw.type);
    if (raw.op != spv::Op::OpUndef || reason == reading_.refused.end()) return false;
    const std::string because = reason->second;
    reading_.refused[raw.result] = because;
    return true;
  }

  llvm::Error readHead(const RawInstruction& raw) {
    function_.id = raw.result;
    llvm::Expected<const Type*> type = reading_.type(raw.type);
    if (!type) return type.takeError();
    function_.return_type = *type;
    return llvm::Error::success();
  }

  llvm::Error readLabel(const RawInstruction& raw) {
    if (block_)
      return malformed("the block before " + reading_.describe(raw) + " has no terminator");
    block_.emplace();
    block_->label = raw.result;
    return llvm::Error::success();
  }

  llvm::Error readMerge(const Instruction& instruction) {
    const bool loop = instruction.op == spv::Op::OpLoopMerge;
    if (instruction.operands.size() < (loop ? 3u : 2u) || block_->merge_kind != MergeKind::None)
      return malformed(reading_.module.describe(instruction) + " in " +
                       reading_.module.describe(block_->label) +
                       " lacks operands or is not the only one");
    block_->merge_kind = loop ? MergeKind::Loop : MergeKind::Selection;
    block_->merge_block = instruction.operands[0];
    block_->continue_block = loop ? instruction.operands[1] : 0;
    block_->merge_control = instruction.operands[loop ? 2 : 1];
    if (llvm::Error error = checkLabel(block_->merge_block)) return error;
    return loop ? checkLabel(block_->continue_block) : llvm::Error::success();
  }

  llvm::Error readTerminator(Instruction instruction) {
    if (instruction.op == spv::Op::OpSwitch) {
      if (llvm::Error error = setSelectorType(instruction)) return error;
    }
    const size_t needed =
        instruction.op == spv::Op::OpBranchConditional                                    ? 3
        : instruction.op == spv::Op::OpSwitch                                             ? 2
        : instruction.op == spv::Op::OpBranch || instruction.op == spv::Op::OpReturnValue ? 1
                                                                                          : 0;
    if (instruction.operands.size() < needed)
      return malformed(reading_.module.describe(instruction) + " lacks operands");
    block_->terminator = instruction;
    for (Id label : block_->successors())
      if (llvm::Error error = checkLabel(label)) return error;
    function_.blocks.push_back(std::move(*block_));
    block_.reset();
    lines_.clear();  // a location reaches to the end of its block
    return llvm::Error::success();
  }

  // What ends the shader is an instruction behind which control never comes.
  llvm::Error readAbort(const Instruction& instruction) {
    if (instruction.operands.size() < 2)
      return malformed(reading_.module.describe(instruction) + " lacks operands");
    block_->instructions.push_back(instruction);
    Instruction end = instruction;
    end.op = spv::Op::OpUnreachable;
    end.operands = {};
    return readTerminator(std::move(end));
  }

  // The width of a switch's literals is that of its selector, which stands elsewhere.
  llvm::Error setSelectorType(Instruction& instruction) {
    const RawInstruction* selector = instruction.operands.empty()
                                         ? nullptr
                                         : reading_.binary.definition(instruction.operands[0]);
    if (!selector || selector->type == 0)
      return malformed(reading_.module.describe(instruction) + ": the selector is not a value");
    llvm::Expected<const Type*> type = reading_.type(selector->type);
    if (!type) return type.takeError();
    if ((*type)->kind != TypeKind::Int)
      return malformed(reading_.module.describe(instruction) + ": the selector is not an integer");
    instruction.type = *type;
    return llvm::Error::success();
  }

  llvm::Error checkPhi(const Instruction& phi) const {
    if (!block_->instructions.empty() && block_->instructions.back().op != spv::Op::OpPhi)
      return malformed(reading_.module.describe(phi) + " is not at the start of its block");
    if (phi.operands.size() % 2 != 0)
      return malformed(reading_.module.describe(phi) + " has a value without its parent block");
    for (size_t i = 1; i < phi.operands.size(); i += 2)
      if (llvm::Error error = checkLabel(phi.operands[i])) return error;
    return llvm::Error::success();
  }

  llvm::Error checkLabel(Id id) const {
    const RawInstruction* definition = reading_.binary.definition(id);
    if (definition && definition->op == spv::Op::OpLabel && isLocal(id))
      return llvm::Error::success();
    return malformed(reading_.module.describe(id) + " is not a block of this function");
  }

  bool isLocal(Id id) const {
    const uint32_t index = reading_.binary.definitionIndex(id);
    return index >= range_.begin && index < range_.end;
  }

  // Checks that every id it names is one that code of this function can name.
  llvm::Expected<Instruction> decode(const RawInstruction& raw) {
    Instruction instruction;
    instruction.op = raw.op;
    instruction.result = raw.result;
    instruction.operands = raw.operands;
    instruction.word = raw.word;
    instruction.location = lines_.location();
    if (raw.type != 0) {
      llvm::Expected<const Type*> type = reading_.type(raw.type);
      if (!type) return because(instruction, type.takeError());
      instruction.type = *type;
      if (llvm::Error error = checkExtent(raw.type, **type))
        return because(instruction, std::move(error));
    }
    for (const uint32_t& word : raw.operands) {
      if (!reading_.binary.isId(&word)) continue;
      if (llvm::Error error = checkOperand(word)) return because(instruction, std::move(error));
    }
    return instruction;
  }

  llvm::Error checkOperand(Id id) {
    const RawInstruction* definition = reading_.binary.definition(id);
    if (!definition) return malformed(reading_.module.describe(id) + " is not defined");
    if (auto reason = reading_.refused.find(id); reason != reading_.refused.end())
      return unsupported(reason->second);
    if (isLocal(id)) return llvm::Error::success();
    if (const Constant* constant = reading_.module.constant(id))
      if (llvm::Error error = checkExtent(id, *constant->type)) return error;
    const bool global = reading_.binary.definitionIndex(id) < first_function_;
    if (!global && definition->op != spv::Op::OpFunction)
      return malformed(reading_.module.describe(id) + " belongs to another function");
    used_.insert(id);
    return llvm::Error::success();
  }

  // Values are handled scalar by scalar. `id`: of the type, or of a constant.
  llvm::Error checkExtent(Id id, const Type& type) {
    const uint64_t scalars = type.leaves();
    if (scalars <= kMaxValueScalars) return llvm::Error::success();
    return unsupported(reading_.module.describe(id) + ": a value of " + std::to_string(scalars) +
                       " scalars; at most " + std::to_string(kMaxValueScalars) +
                       " are supported: load and store smaller parts, or elements in a loop");
  }

  llvm::Error because(const Instruction& instruction, llvm::Error error) const {
    return llvm::handleErrors(std::move(error), [&](std::unique_ptr<Failure> failure) {
      failure->message += ", used by " + reading_.module.describe(instruction);
      return llvm::Error(std::move(failure));
    });
  }

  Reading& reading_;
  const Range range_;
  const uint32_t first_function_;  // index of the module's first OpFunction
  const bool by_name_;
  DebugLines lines_;
  std::unordered_set<Id>& used_;
  const bool is_debugged_ = reading_.request.checks.has(kDebug);
  Function function_;
  std::optional<Block> block_;  // the one being read
};

}  // namespace

llvm::Expected<std::unordered_map<Id, Function>> readFunctions(Reading& reading, Id entry,
                                                               std::unordered_set<Id>& used) {
  const auto instructions = reading.binary.instructions();
  std::unordered_map<Id, Range> ranges;
  uint32_t first_function = static_cast<uint32_t>(instructions.size());
  uint32_t begin = 0;
  for (uint32_t i = 0; i < instructions.size(); ++i) {
    if (instructions[i].op == spv::Op::OpFunction) {
      if (ranges.empty() && begin == 0) first_function = i;
      begin = i;
    } else if (instructions[i].op == spv::Op::OpFunctionEnd) {
      ranges[instructions[begin].result] = {begin, i + 1};
    }
  }

  const bool by_name = reading.request.checks.has(kDebug) && !hasDebugVariables(reading);
  std::unordered_map<Id, Function> functions;
  std::vector<Id> pending{entry};
  while (!pending.empty()) {
    const Id id = pending.back();
    pending.pop_back();
    if (functions.contains(id)) continue;
    auto range = ranges.find(id);
    if (range == ranges.end()) return malformed(reading.module.describe(id) + " is not a function");
    llvm::Expected<Function> function =
        FunctionReader(reading, range->second, first_function, by_name, used).read();
    if (!function) return function.takeError();
    for (const Block& block : function->blocks)
      for (const Instruction& instruction : block.instructions)
        for (Id callee : calledFunctions(instruction)) pending.push_back(callee);
    functions.emplace(id, std::move(*function));
  }
  return functions;
}

}  // namespace jit::spirv
