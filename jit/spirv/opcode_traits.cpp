// SPDX-License-Identifier: Apache-2.0

#include "jit/spirv/opcode_traits.h"

#include <iterator>
#include <vector>

#include "jit/spirv/internal_ops.h"

namespace jit::spirv {

namespace {

struct TraitsRow {
  spv::Op op;
  OpcodeTraits traits;
};

constexpr TraitsRow kOpcodeTraits[] = {
#define OPCODE(name, ...) {spv::Op::name, {__VA_ARGS__}},
#define INTERNAL(name, ...) {opcode(InternalOp::name), {__VA_ARGS__}},
#include "jit/spirv/opcode_traits.def"
};

constexpr bool haveOneRowEach() {
  for (const TraitsRow& row : kOpcodeTraits)
    for (const TraitsRow* other = &row + 1; other != std::end(kOpcodeTraits); ++other)
      if (other->op == row.op) return false;
  return true;
}
static_assert(haveOneRowEach());

// By number, the driver's own behind all of SPIR-V's that have a row: this is asked for each
// instruction, by many.
class TraitsIndex {
 public:
  TraitsIndex() {
    for (const TraitsRow& row : kOpcodeTraits) slotOf(row.op) = &row.traits;
  }
  const OpcodeTraits* find(spv::Op op) const {
    const auto& rows = internalOp(op) ? internal_ : rows_;
    const size_t number = numberOf(op);
    return number < rows.size() ? rows[number] : nullptr;
  }

 private:
  static size_t numberOf(spv::Op op) {
    const std::optional<InternalOp> internal = internalOp(op);
    return internal ? static_cast<size_t>(*internal) : static_cast<size_t>(op);
  }
  const OpcodeTraits*& slotOf(spv::Op op) {
    auto& rows = internalOp(op) ? internal_ : rows_;
    const size_t number = numberOf(op);
    if (number >= rows.size()) rows.resize(number + 1);
    return rows[number];
  }

  std::vector<const OpcodeTraits*> rows_, internal_;
};

}  // namespace

const OpcodeTraits* findTraits(spv::Op op) {
  static const TraitsIndex kIndex;
  return kIndex.find(op);
}

const OpcodeTraits& traitsOf(spv::Op op) {
  static constexpr OpcodeTraits kUsual;
  const OpcodeTraits* traits = findTraits(op);
  return traits != nullptr ? *traits : kUsual;
}

}  // namespace jit::spirv
