// SPDX-License-Identifier: Apache-2.0

#include "jit/passes/access/access_remarks.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <optional>

#include "jit/ir/helper_function.h"
#include "jit/ir/marks.h"
#include "jit/ir/remarks.h"
#include "jit/passes/access/rows_ahead.h"

namespace jit::simt {
namespace {

constexpr llvm::StringLiteral kReportAccesses = "report-accesses";
constexpr int kMostReasonDepth = 24;

// How a vector moves from lane to lane, as far as that can be told without a proof that nothing
// wraps: this is for messages only.
class LaneStep {
 public:
  explicit LaneStep(const llvm::DataLayout& layout) : layout_(layout) {}

  // Bytes or units from one lane to the next; nothing where lanes differ in another way, and then
  // `culprit` says in which.
  std::optional<int64_t> of(const llvm::Value& v, int depth = 0) {
    if (const auto known = known_.find(&v); known != known_.end()) return known->second;
    const std::optional<int64_t> step = find(v, depth);
    known_[&v] = step;
    return step;
  }

  std::string culprit;

 private:
  std::optional<int64_t> find(const llvm::Value& v, int depth) {
    if (!v.getType()->isVectorTy() || llvm::getSplatValue(&v) != nullptr) return 0;
    if (depth > kMostReasonDepth) return blame("its index is the result of a long calculation");
    if (const auto* constant = llvm::dyn_cast<llvm::Constant>(&v)) return ofConstant(*constant);
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&v);
    if (instruction == nullptr) return blame("its index is handed in from outside");
    if (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(instruction))
      return ofAddress(*address, depth);
    return ofOperation(*instruction, depth);
  }

  std::nullopt_t blame(llvm::StringRef what) {
    if (culprit.empty()) culprit = what.str();
    return std::nullopt;
  }

  std::optional<int64_t> ofConstant(const llvm::Constant& constant) {
    llvm::SmallVector<int64_t, 64> at;
    const unsigned lanes = llvm::cast<llvm::FixedVectorType>(constant.getType())->getNumElements();
    for (unsigned l = 0; l < lanes; ++l) {
      const auto* number =
          llvm::dyn_cast_or_null<llvm::ConstantInt>(constant.getAggregateElement(l));
      if (number == nullptr || number->getBitWidth() > 64) return blame("its index is a table");
      at.push_back(number->getSExtValue());
    }
    if (lanes == 1) return 0;
    const int64_t step = at[1] - at[0];
    auto goesOn = [&](unsigned l) { return at[l] - at[l - 1] == step; };
    unsigned length = 1;
    while (length < lanes && goesOn(length)) ++length;
    if (length == lanes) return step;
    for (unsigned l = 1; l < lanes; ++l)
      if (l % length != 0 && !goesOn(l))
        return blame("its index goes from invocation to invocation in steps that differ");
    return blame("its index goes on evenly for " + std::to_string(length) +
                 " invocations only, then it jumps (rows shorter than a subgroup)");
  }

  std::optional<int64_t> ofAddress(const llvm::GetElementPtrInst& address, int depth) {
    std::optional<int64_t> sum = of(*address.getPointerOperand(), depth + 1);
    for (auto index = llvm::gep_type_begin(address); sum && index != llvm::gep_type_end(address);
         ++index) {
      if (index.getStructTypeOrNull() != nullptr) continue;
      const std::optional<int64_t> step = of(*index.getOperand(), depth + 1);
      if (!step) return std::nullopt;
      const auto size =
          static_cast<int64_t>(index.getSequentialElementStride(layout_).getFixedValue());
      sum = *sum + *step * size;
    }
    return sum;
  }

  std::optional<int64_t> ofOperation(const llvm::Instruction& i, int depth) {
    auto operand = [&](unsigned k) { return of(*i.getOperand(k), depth + 1); };
    switch (i.getOpcode()) {
      case llvm::Instruction::ZExt:
      case llvm::Instruction::SExt:
      case llvm::Instruction::Trunc:
      case llvm::Instruction::Freeze:
      case llvm::Instruction::PtrToInt:
      case llvm::Instruction::IntToPtr:
        return operand(0);
      case llvm::Instruction::Add:
      case llvm::Instruction::Or:
      case llvm::Instruction::Sub: {
        const std::optional<int64_t> a = operand(0), b = a ? operand(1) : std::nullopt;
        if (!b) return std::nullopt;
        return i.getOpcode() == llvm::Instruction::Sub ? *a - *b : *a + *b;
      }
      case llvm::Instruction::Mul:
      case llvm::Instruction::Shl:
        return ofProduct(i, depth);
      default:
        break;
    }
    if (isUniform(i, depth)) return 0;
    return blame(describe(i));
  }

  // Whether all that it is made of by arithmetic is the same for all lanes.
  bool isUniform(const llvm::Value& v, int depth) {
    if (!v.getType()->isVectorTy() || llvm::getSplatValue(&v) != nullptr) return true;
    const auto* i = llvm::dyn_cast<llvm::Instruction>(&v);
    if (i == nullptr || depth > kMostReasonDepth || !(i->isBinaryOp() || i->isCast())) return false;
    const auto [known, is_new] = uniform_.try_emplace(i, false);
    if (!is_new) return known->second;
    const bool all = llvm::all_of(i->operands(),
                                  [&](const llvm::Use& use) { return isUniform(*use, depth + 1); });
    return uniform_[i] = all;
  }

  std::optional<int64_t> ofProduct(const llvm::Instruction& i, int depth) {
    const std::optional<int64_t> a = of(*i.getOperand(0), depth + 1);
    const std::optional<int64_t> b = a ? of(*i.getOperand(1), depth + 1) : std::nullopt;
    if (!b) return std::nullopt;
    if (*a == 0 && *b == 0) return 0;
    const auto* factor =
        llvm::dyn_cast_or_null<llvm::ConstantInt>(llvm::getSplatValue(i.getOperand(1)));
    if (factor == nullptr || factor->getBitWidth() > 64)
      return blame("its index is the invocation's number times what is known at run time only");
    const int64_t number = factor->getSExtValue();
    return i.getOpcode() == llvm::Instruction::Mul ? *a * number : *a << (number & 63);
  }

  static bool isRead(const llvm::Value& v) {
    const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&v);
    return llvm::isa<llvm::LoadInst>(v) ||
           (call != nullptr && (call->getIntrinsicID() == llvm::Intrinsic::masked_gather ||
                                call->getIntrinsicID() == llvm::Intrinsic::masked_load));
  }

  static std::string describe(const llvm::Instruction& i) {
    // On both sides of a test, too.
    const auto* phi = llvm::dyn_cast<llvm::PHINode>(&i);
    if (isRead(i) ||
        (phi != nullptr &&
         llvm::all_of(phi->incoming_values(), [](const llvm::Use& u) { return isRead(*u); })))
      return "its index is read from memory";
    switch (i.getOpcode()) {
      case llvm::Instruction::PHI:
        return i.getType()->getScalarType()->isPointerTy()
                   ? "its address comes from different places"
                   : "its index changes in a loop or comes from different places, each invocation "
                     "having its own";
      case llvm::Instruction::Select:
        return "its index is chosen by a condition that differs between invocations";
      case llvm::Instruction::LShr:
      case llvm::Instruction::AShr:
      case llvm::Instruction::UDiv:
      case llvm::Instruction::SDiv:
        return "its index is a quotient of numbers that differ between invocations";
      case llvm::Instruction::And:
      case llvm::Instruction::URem:
      case llvm::Instruction::SRem:
        return "its index is a remainder of numbers that differ between invocations";
      case llvm::Instruction::ShuffleVector:
      case llvm::Instruction::InsertElement:
        return "its index is handed from invocation to invocation";
      case llvm::Instruction::FPToUI:
      case llvm::Instruction::FPToSI:
        return "its index is made of a float";
      default:
        return std::string("its index is the result of ") + i.getOpcodeName();
    }
  }

  const llvm::DataLayout& layout_;
  // What is used many times is looked at once.
  llvm::DenseMap<const llvm::Value*, std::optional<int64_t>> known_;
  llvm::DenseMap<const llvm::Value*, bool> uniform_;
};

std::string describeElements(const llvm::FixedVectorType& type, int64_t bytes) {
  const std::string number = std::to_string(type.getNumElements());
  if (type.getElementType()->isPointerTy()) return number + " addresses of buffers: ";
  return number + " elements of " + std::to_string(8 * bytes) + " bits: ";
}

std::string describeArray(const llvm::AllocaInst& array) {
  const std::optional<llvm::TypeSize> bytes =
      array.getAllocationSize(array.getModule()->getDataLayout());
  const std::string name = array.hasName() ? "'" + array.getName().str() + "', " : "";
  const std::string size = bytes ? std::to_string(bytes->getFixedValue()) + " bytes" : "an array";
  return name + size + ": an index into it is not known when the shader is compiled";
}

// Where each invocation reads on in a row of its own.
std::string whyNotInRows(const llvm::IntrinsicInst& access) {
  const llvm::MDNode* node = access.getMetadata(kReadsOn);
  if (node == nullptr) return "";
  return "; each invocation reads on from iteration to iteration, but " +
         llvm::cast<llvm::MDString>(node->getOperand(0))->getString().str();
}

void remarkOnVector(const llvm::IntrinsicInst& access) {
  const bool gathers = access.getIntrinsicID() == llvm::Intrinsic::masked_gather;
  auto* type = llvm::cast<llvm::FixedVectorType>(gathers ? access.getType()
                                                         : access.getArgOperand(0)->getType());
  const RemarkKind kind = access.hasMetadata(kBehindTest) ? RemarkKind::Tested
                          : gathers                       ? RemarkKind::Gather
                                                          : RemarkKind::Scatter;
  declined(kReportAccesses, kind, access, [&] {
    const auto bytes = static_cast<int64_t>(
        access.getModule()->getDataLayout().getTypeStoreSize(type->getElementType()));
    return describeElements(*type, bytes) +
           whyNotContiguous(*access.getArgOperand(gathers ? 0 : 1), bytes) + whyNotInRows(access);
  });
}

}  // namespace

std::string whyNotContiguous(const llvm::Value& addresses, int64_t bytes) {
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&addresses);
  if (instruction == nullptr) return "its address is handed in from outside";
  LaneStep lanes(instruction->getModule()->getDataLayout());
  const std::optional<int64_t> step = lanes.of(addresses);
  if (!step) return lanes.culprit;
  if (*step == 0) return "all invocations access one element, but not always all of them";
  if (*step == bytes) return "its index may wrap around between invocations, or reach past 2^31";
  return "from invocation to invocation it is " + std::to_string(*step) + " bytes on";
}

void remarkOnAccesses(llvm::Function& function) {
  if (ukernel::isHelperFunction(function)) return;
  llvm::SmallPtrSet<const llvm::MDNode*, 16> tested;
  for (const llvm::Instruction& i : llvm::instructions(function)) {
    if (const auto* access = llvm::dyn_cast<llvm::IntrinsicInst>(&i)) {
      if (access->getIntrinsicID() == llvm::Intrinsic::masked_gather ||
          access->getIntrinsicID() == llvm::Intrinsic::masked_scatter) {
        const llvm::MDNode* mark = access->getMetadata(kBehindTest);
        if (mark == nullptr || tested.insert(mark).second) remarkOnVector(*access);
      }
    } else if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&i)) {
      if (variable->hasMetadata(kOfKernel) || variable->hasMetadata(kKeptInMemory)) continue;
      if (!variable->getAllocatedType()->isArrayTy()) continue;
      declined(kReportAccesses, RemarkKind::ArrayInMemory, *variable,
               [&] { return describeArray(*variable); });
    }
  }
}

}  // namespace jit::simt
