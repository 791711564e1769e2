// SPDX-License-Identifier: Apache-2.0

// Accesses of lanes that are anywhere: what each lane has side by side, as words that machines
// gather and scatter.
#include "jit/emit/leafwise.h"
#include "jit/emit/word_parts.h"
#include "jit/ir/stream_lanes.h"
#include "jit/spirv/memory_layout.h"

namespace jit::spirv {

namespace {

// Of mat4 and dvec4.
constexpr size_t kMaxWordMembers = 16;
// Structures of neighbours that have no more are accessed whole (passes/access/strided_access.h).
constexpr uint64_t kNearElements = 8;
constexpr uint64_t kMaxWordBytes = 8;

// Of each member, lane by lane, the words that lanes have side by side.
llvm::Value* membersInWords(llvm::IRBuilder<>& ir, llvm::SmallVector<llvm::Value*, 16> members,
                            llvm::Type* words) {
  const uint32_t width = llvm::cast<llvm::FixedVectorType>(words)->getNumElements();
  llvm::SmallVector<int, 128> order;
  for (uint32_t l = 0; l < width; ++l)
    for (size_t m = 0; m < members.size(); ++m) order.push_back(static_cast<int>(m * width + l));
  return ir.CreateBitCast(ir.CreateShuffleVector(joined(ir, std::move(members)), order), words);
}

// The same of members that are bytes. Shifted: what processors without shuffles of bytes across a
// register need for those is more, and LLVM 22 does not come to an end over some whose values are
// partly known.
llvm::Value* bytesInWords(llvm::IRBuilder<>& ir, llvm::ArrayRef<llvm::Value*> members,
                          llvm::Type* words) {
  auto* bytes = llvm::VectorType::get(ir.getInt8Ty(), llvm::cast<llvm::VectorType>(words));
  llvm::Value* value = nullptr;
  for (size_t m = 0; m < members.size(); ++m) {
    llvm::Value* part = ir.CreateZExt(ir.CreateBitCast(members[m], bytes), words);
    if (m != 0) part = ir.CreateShl(part, 8 * m);
    value = value == nullptr ? part : ir.CreateOr(value, part);
  }
  return value;
}

}  // namespace

uint64_t Emission::wordBytes(const Pointer& p, llvm::ArrayRef<LeafLayout> leaves) const {
  const uint64_t bytes = memberBytes(leaves, kMaxWordMembers), unit = bytes * leaves.size();
  if (unit == bytes || p.is_volatile || p.check_leaves || p.interleaved ||
      width() > simt::kMostLanesInRegisters)
    return 0;
  constexpr uint64_t kLeastStructureBytes = 4;  // of an element
  if (const LaneForm* form = laneForm(p.offset);
      form != nullptr && form->shape.isLinear() && bytes >= kLeastStructureBytes) {
    const uint64_t step = form->shape.weights[0];
    if (form->shape.runtime == 0 && std::min(step, 0 - step) <= kNearElements * bytes) return 0;
  }
  const uint64_t word = std::min(unit & (0 - unit), kMaxWordBytes);
  return word > bytes ? word : 0;
}

Leaves Emission::gatherWords(const Pointer& p, llvm::ArrayRef<LeafLayout> leaves, llvm::Type* type,
                             llvm::Value* inside) {
  const uint64_t word = wordBytes(p, leaves);
  if (word == 0) return {};
  const uint64_t bytes = leafBytes(leaves[0].type), unit = bytes * leaves.size();
  llvm::Value* at = leafAddress(p, leaves[0].offset, bytes);
  if (!simt.isVarying(at)) return {};
  llvm::Value* lanes = simt.fullMask();
  if (inside != nullptr) lanes = ir.CreateAnd(lanes, simt.broadcast(inside));
  const auto each = static_cast<uint32_t>(word / bytes);
  llvm::Type* words = simt.vectorOf(ir.getIntNTy(static_cast<unsigned>(8 * word)));
  Leaves loaded;
  for (uint64_t w = 0; w < unit / word; ++w) {
    llvm::Value* word_at = w == 0 ? at : leafAddress(p, leaves[0].offset + w * word, bytes);
    llvm::Value* gathered = ir.CreateMaskedGather(words, word_at, llvm::Align(bytes), lanes,
                                                  llvm::Constant::getNullValue(words));
    if (type->isIntegerTy()) {
      appendParts(ir, gathered, type, loaded);
      continue;
    }
    gathered = ir.CreateBitCast(gathered, llvm::FixedVectorType::get(type, width() * each));
    for (uint32_t m = 0; m < each; ++m)
      loaded.push_back(ir.CreateShuffleVector(gathered, sequence(m, width(), each)));
  }
  return loaded;
}

// Of leaves as they lie in memory. False where nothing is gained.
bool Emission::scatterWords(const Pointer& p, llvm::ArrayRef<LeafLayout> leaves,
                            llvm::ArrayRef<llvm::Value*> stored, llvm::Value* inside) {
  const uint64_t word = wordBytes(p, leaves);
  if (word == 0) return false;
  const uint64_t bytes = leafBytes(leaves[0].type);
  llvm::Value* at = leafAddress(p, leaves[0].offset, bytes);
  if (!simt.isVarying(at)) return false;
  llvm::Value* lanes = simt.fullMask();
  if (inside != nullptr) lanes = ir.CreateAnd(lanes, simt.broadcast(inside));
  const auto each = static_cast<uint32_t>(word / bytes);
  llvm::Type* words = simt.vectorOf(ir.getIntNTy(static_cast<unsigned>(8 * word)));
  // In the order of leaves: where lanes overlap, the last one's stays, leaf by leaf too.
  for (size_t first = 0; first < leaves.size(); first += each) {
    llvm::SmallVector<llvm::Value*, 16> parts;
    for (llvm::Value* leaf : stored.slice(first, each)) parts.push_back(simt.broadcast(leaf));
    llvm::Value* value =
        bytes == 1 ? bytesInWords(ir, parts, words) : membersInWords(ir, std::move(parts), words);
    ir.CreateMaskedScatter(value, leafAddress(p, leaves[first].offset, bytes), llvm::Align(bytes),
                           lanes);
  }
  return true;
}

}  // namespace jit::spirv
