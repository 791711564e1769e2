// SPDX-License-Identifier: Apache-2.0

// Accesses of lanes whose addresses move evenly, at least in runs of 2^n lanes: a vector at a time
// instead of a lane at a time.
//
// An offset that is known modulo 2^m (analysis/lane_shape.h) is known: what is accessed lies in its
// object, which no live invocation may leave where bounds are not tested, and where they are,
// nobody does (Vulkan Specification, "Robust Buffer Access"; for addresses without an object only
// exact offsets count).
#include <algorithm>
#include <bit>

#include "jit/emit/leafwise.h"
#include "jit/emit/word_parts.h"
#include "jit/ir/stream_lanes.h"
#include "jit/spirv/memory_layout.h"

namespace jit::spirv {

namespace {

// Bits of any offset into memory of a storage class.
constexpr unsigned kBufferBits = 32;
constexpr unsigned kLargeBufferBits = 47;
// Added to an offset it is still below 2^kBufferBits, and what an invocation has past another one's
// is below it.
constexpr uint64_t kMargin = (uint64_t{1} << kBufferBits) - kMaxBufferRange;
constexpr unsigned kSharedBits = 20;
static_assert(kMaxSharedBytes < 1 << kSharedBits);

// Shorter runs are worth no access of their own.
constexpr uint64_t kMinRunBytes = 8;
constexpr uint32_t kMaxUniformRuns = 8;
constexpr uint64_t kFarApart = 64;
constexpr uint32_t kMaxMaskedRuns = 4;
constexpr uint64_t kMaxMaskedWords = 4;  // of a lane
constexpr size_t kMaxMembers = 8;
// As far apart as lanes of a run may be, in what each of them loads: a word as machines have masks
// for.
constexpr uint32_t kMaxStep = 4;
constexpr unsigned kMinStridedBits = 2;

}  // namespace

bool Emission::hasLargeBuffers() const {
  return request.large_buffers || module.has(spv::Capability::Shader64BitIndexingEXT);
}

// Bits of any offset into what a pointer leads into; 64: it has no bounds.
static unsigned offsetBits(const Pointer& p, bool large) {
  switch (p.storage) {
    case spv::StorageClass::Workgroup:
      return kSharedBits;
    case spv::StorageClass::StorageBuffer:
    case spv::StorageClass::Uniform:
    case spv::StorageClass::PushConstant:
      return large ? kLargeBufferBits : kBufferBits;
    default:
      return 64;
  }
}

// Whether the offset of a lane in its object follows from a form.
static bool isSettled(const simt::LaneShape& shape, unsigned object_bits) {
  if (shape.exact()) return true;
  const bool with_margin = shape.modulus == kBufferBits && object_bits == kBufferBits;
  return object_bits < 64 && (shape.modulus > object_bits || with_margin);
}

// The offset of a lane where it is only known modulo something. A lane that is not live may lie
// before the start. `is_extended`: `offset` is made of one index that was extended as a signed
// number.
static llvm::Value* settledOffset(llvm::IRBuilder<>& ir, const simt::LaneShape& shape,
                                  llvm::Value* offset, unsigned object_bits, bool is_extended) {
  if (shape.exact()) return offset;
  const unsigned unused = 64u - shape.modulus;
  if (shape.modulus <= object_bits) {
    llvm::Value* margin = ir.getInt64(kMargin);
    llvm::Value* moved = ir.CreateAdd(offset, margin);
    return ir.CreateSub(ir.CreateAnd(moved, ir.getInt64(~uint64_t{0} >> unused)), margin);
  }
  // What the signed number says is right where an object ends before half of the numbers do.
  if (is_extended) return offset;
  return ir.CreateAShr(ir.CreateShl(offset, unused), unused);
}

// Whether all lanes are so near to lane 0 that none is on the other side of where numbers wrap, but
// for lanes 0 that are before the start.
static bool staysNear(const LaneForm& form) {
  uint64_t reach = 0;
  for (uint64_t weight : form.shape.weights) reach += std::min({weight, 0 - weight, kMargin});
  return form.shape.any == 0 && form.runtime.empty() && reach < kMargin;
}

// The same address, where lanes that are live and in bounds have no other offsets: those that count
// from lane 0's.
Pointer Emission::countedFromFirst(const Pointer& p, llvm::Value* inside) {
  const LaneForm* form = laneForm(p.offset);
  const unsigned object_bits = offsetBits(p, hasLargeBuffers());
  if (form == nullptr || form->first == nullptr || !isSettled(form->shape, object_bits) ||
      p.interleaved || p.copies != 1 || p.check_leaves || laneContext().isOneSubgroup())
    return p;
  // What lanes are past lane 0 must not be known modulo something either.
  if (!staysNear(*form)) return p;
  // Further apart than a cache line nothing is loaded or stored together.
  if (std::min(form->shape.weights[0], 0 - form->shape.weights[0]) > kFarApart) return p;
  LaneForm exact = *form;
  exact.first = settledOffset(ir, form->shape, form->first, object_bits, form->by_one_index);
  exact.shape.modulus = exact.shape.width;
  Pointer counted = p;
  counted.offset = inLanes(exact);
  if (checks_shapes_) checkShape(0, p.offset, counted.offset, inside);
  return counted;
}

// That the lanes of the k-th run, which begins at `offset`, are where they should be.
void Emission::checkRun(const Pointer& p, const LaneRuns& runs, uint32_t k, uint64_t unit,
                        llvm::Value* offset, llvm::Value* inside) {
  const uint32_t first = k << runs.bits, count = 1u << runs.bits;
  llvm::SmallVector<llvm::Constant*, 64> steps, chosen;
  for (uint32_t l = 0; l < stream_.width; ++l) {
    const bool here = l >= first && l < first + count;
    steps.push_back(ir.getInt64(here && !runs.uniform ? (l - first) * unit * runs.step : 0));
    chosen.push_back(ir.getInt1(here));
  }
  llvm::Value* counted = ir.CreateAdd(simt.broadcast(offset), llvm::ConstantVector::get(steps));
  llvm::Value* lanes = llvm::ConstantVector::get(chosen);
  if (inside != nullptr) lanes = ir.CreateAnd(lanes, simt.broadcast(inside));
  checkShape(0, p.offset, counted, lanes);
}

bool Emission::hasSettledOffset(const Pointer& p, const LaneForm& form) const {
  return isSettled(form.shape, offsetBits(p, hasLargeBuffers()));
}

// Whether lanes' elements are taken together at all where they are side by side.
bool Emission::isForRuns(const Pointer& p) const {
  return !p.interleaved && p.copies == 1 && !p.is_volatile && !p.check_leaves &&
         !simt.isVarying(p.base) && !laneContext().isOneSubgroup() &&
         stream_.width <= simt::kMostLanesInRegisters && std::has_single_bit(stream_.width);
}

// Whether the elements of `count` runs, one each, are loaded together better than one by one: lie
// in few registers, where gathers of them are looked for (passes/access/lane_window.h). Numbers of
// 8 and 16 bits are not shuffled by one instruction on every machine.
static bool isNearEachOther(const LaneForm& form, uint32_t lanes, uint64_t unit, uint32_t count,
                            uint32_t register_bytes) {
  if (form.first == nullptr || (unit != 4 && unit != 8)) return false;
  if (!form.shape.exact() && !staysNear(form)) return false;
  const auto registers = registersInLanes(form, lanes, unit, unit, register_bytes);
  return registers && 2 * *registers <= count;
}

// The runs of an access of `unit` bytes a lane, without their beginnings.
std::optional<LaneRuns> Emission::planRuns(const Pointer& p, const LaneForm& form, uint64_t unit,
                                           bool masked) const {
  if (!isForRuns(p)) return std::nullopt;
  const simt::LaneShape& shape = form.shape;
  const unsigned bits = static_cast<unsigned>(std::countr_zero(stream_.width));
  if (!hasSettledOffset(p, form)) return std::nullopt;
  auto run = [&](uint64_t step) {
    unsigned n = 0;
    while (n < bits && ((shape.any | shape.runtime) >> n & 1) == 0 && shape.weights[n] == step << n)
      ++n;
    return n;
  };
  LaneRuns runs;
  runs.bits = run(unit);
  if (runs.bits == 0) {
    runs.bits = run(0);
    runs.uniform = runs.bits != 0;
  }
  // Rows of a workgroup; of what goes on through the subgroup neighbours are taken together later
  // (passes/access/strided_access.h).
  for (uint32_t step = 2; runs.bits == 0 && step <= kMaxStep && (unit == 4 || unit == 8); ++step) {
    const unsigned n = run(step * unit);
    if (n >= kMinStridedBits && n < bits) runs = {.bits = n, .step = step};
  }
  const uint32_t count = stream_.width >> runs.bits;
  if (runs.bits == 0) return std::nullopt;
  if (masked && count > kMaxMaskedRuns) return std::nullopt;
  // What the first lane of a run has, which may not be live, must not be asked for.
  if (form.first == nullptr && simt.mask != nullptr) return std::nullopt;
  if (count > 1 && !runs.uniform && (unit << runs.bits) < kMinRunBytes) return std::nullopt;
  if (runs.uniform && count > kMaxUniformRuns) return std::nullopt;
  if (runs.uniform && !masked &&
      isNearEachOther(form, stream_.width, unit, count, target.vector_bytes))
    return std::nullopt;
  return runs;
}

// Where the runs of an access begin, of `unit` bytes a lane.
std::optional<LaneRuns> Emission::laneRuns(const Pointer& p, uint64_t unit, uint64_t extra,
                                           llvm::Value* inside) {
  const LaneForm* form = laneForm(p.offset);
  if (form == nullptr) return std::nullopt;
  std::optional<LaneRuns> planned =
      planRuns(p, *form, unit, simt.mask != nullptr || inside != nullptr);
  if (!planned) return std::nullopt;
  LaneRuns runs = std::move(*planned);
  const simt::LaneShape& shape = form->shape;
  const unsigned bits = static_cast<unsigned>(std::countr_zero(stream_.width));
  const unsigned object_bits = offsetBits(p, hasLargeBuffers());
  const uint32_t count = stream_.width >> runs.bits;
  const bool is_extended = form->by_one_index && staysNear(*form);
  for (uint32_t k = 0; k < count; ++k) {
    const uint32_t lane = k << runs.bits;
    llvm::Value* offset = nullptr;
    if (form->first == nullptr) {
      offset = settledOffset(ir, shape, ir.CreateExtractElement(p.offset, uint64_t{lane}),
                             object_bits, false);
    } else {
      uint64_t sum = 0;
      for (unsigned b = 0; b < bits; ++b)
        if ((lane >> b & 1) != 0) sum += shape.weights[b];
      offset = ir.CreateAdd(form->first, ir.getInt64(sum));
      for (const auto& [bit, weight] : form->runtime)
        if ((lane >> bit & 1) != 0) offset = ir.CreateAdd(offset, weight);
      offset = settledOffset(ir, shape, offset, object_bits, is_extended);
    }
    if (checks_shapes_) checkRun(p, runs, k, unit, offset, inside);
    runs.starts.push_back(
        ir.CreateGEP(ir.getInt8Ty(), p.base, ir.CreateAdd(offset, ir.getInt64(extra))));
  }
  return runs;
}

// The masks of the runs, with an element for each word of each lane.
llvm::SmallVector<llvm::Value*, 16> Emission::masksOfRuns(const LaneRuns& runs, uint32_t words,
                                                          llvm::Value* inside) {
  llvm::Value* lanes = simt.fullMask();
  if (inside != nullptr) lanes = ir.CreateAnd(lanes, simt.broadcast(inside));
  if (runs.starts.size() == 1 && words == 1) return {lanes};
  llvm::SmallVector<llvm::Value*, 16> masks;
  for (uint32_t k = 0; k < runs.starts.size(); ++k) {
    llvm::SmallVector<int, 128> chosen;
    for (uint32_t l = k << runs.bits; l < (k + 1) << runs.bits; ++l) {
      chosen.append(words, static_cast<int>(l));
      chosen.append((runs.step - 1) * words, static_cast<int>(stream_.width));
    }
    masks.push_back(
        ir.CreateShuffleVector(lanes, llvm::Constant::getNullValue(lanes->getType()), chosen));
  }
  return masks;
}

// Under a mask a lane's members are taken together as words, as large as machines have masks for.
static uint64_t maskedWordBytes(uint64_t member_bytes, uint64_t unit) {
  return unit == member_bytes ? unit : std::min<uint64_t>(unit & -unit, 8);
}

bool Emission::canAccessInRuns(const Pointer& p, llvm::ArrayRef<LeafLayout> leaves, bool is_store,
                               const LaneForm* form) const {
  const uint64_t bytes = memberBytes(leaves, kMaxMembers);
  if (form == nullptr || bytes == 0) return false;
  const bool masked = simt.mask != nullptr || (p.size != nullptr && !p.check_leaves);
  const uint64_t unit = bytes * leaves.size();
  if (masked && unit / maskedWordBytes(bytes, unit) > kMaxMaskedWords) return false;
  if (is_store && !std::has_single_bit(leaves.size())) return false;
  const auto runs = planRuns(p, *form, unit, masked);
  return runs && !(is_store && (runs->uniform || runs->step != 1));
}

// One element for each run, for those that have somebody who wants it.
Leaves Emission::loadUniformRuns(const LaneRuns& runs, uint32_t members, uint64_t bytes,
                                 llvm::Type* type, llvm::Value* inside) {
  const bool masked = simt.mask != nullptr || inside != nullptr;
  llvm::SmallVector<llvm::Value*, 16> masks;
  if (masked) masks = masksOfRuns(runs, 1, inside);
  llvm::SmallVector<llvm::SmallVector<llvm::Value*, 16>, 4> parts(members);
  for (size_t k = 0; k < runs.starts.size(); ++k) {
    llvm::Value* wanted = masked ? ir.CreateOrReduce(masks[k]) : nullptr;
    for (uint32_t m = 0; m < members; ++m) {
      llvm::Value* at = ir.CreateConstGEP1_64(ir.getInt8Ty(), runs.starts[k], m * bytes);
      if (masked) at = ir.CreateSelect(wanted, at, zeroSlot());
      llvm::Value* one = ir.CreateAlignedLoad(type, at, llvm::Align(bytes));
      parts[m].push_back(ir.CreateVectorSplat(1u << runs.bits, one));
    }
  }
  Leaves loaded;
  for (auto& part : parts) {
    llvm::Value* all = joined(ir, std::move(part));
    // A read outside gives 0.
    if (inside != nullptr)
      all = ir.CreateSelect(simt.broadcast(inside), all,
                            llvm::Constant::getNullValue(all->getType()));
    loaded.push_back(all);
  }
  return loaded;
}

Leaves Emission::loadInRuns(const Pointer& p, llvm::ArrayRef<LeafLayout> leaves, llvm::Type* type,
                            llvm::Value* inside) {
  const uint64_t bytes = memberBytes(leaves, kMaxMembers);
  const auto members = static_cast<uint32_t>(leaves.size());
  if (bytes == 0) return {};
  const uint64_t unit = bytes * members;
  auto runs = laneRuns(p, unit, leaves[0].offset, inside);
  if (!runs) return {};
  // What lies between lanes is not read.
  const bool masked = simt.mask != nullptr || inside != nullptr || runs->step != 1;
  const uint64_t word = masked ? maskedWordBytes(bytes, unit) : bytes;
  const auto words = static_cast<uint32_t>(unit / word);
  if (masked && words > kMaxMaskedWords) return {};
  const llvm::Align alignment(bytes);
  const uint32_t lanes = 1u << runs->bits;
  if (runs->uniform) return loadUniformRuns(*runs, members, bytes, type, inside);
  llvm::Type* word_type = word == bytes ? type : ir.getIntNTy(static_cast<unsigned>(8 * word));
  auto* part_type = llvm::FixedVectorType::get(word_type, lanes * words * runs->step);
  llvm::SmallVector<llvm::Value*, 16> masks;
  if (masked) masks = masksOfRuns(*runs, words, inside);
  llvm::SmallVector<llvm::Value*, 16> parts;
  for (size_t k = 0; k < runs->starts.size(); ++k) {
    llvm::Value* part = nullptr;
    if (masked)
      part = ir.CreateMaskedLoad(part_type, runs->starts[k], alignment, masks[k],
                                 llvm::Constant::getNullValue(part_type));
    else
      part = ir.CreateAlignedLoad(part_type, runs->starts[k], alignment);
    if (runs->step != 1) part = ir.CreateShuffleVector(part, sequence(0, lanes, runs->step));
    parts.push_back(part);
  }
  llvm::Value* all = joined(ir, std::move(parts));
  if (members == 1) return {all};
  const uint64_t part_bytes = partOfWord(type, bytes, unit);
  const auto words_each = static_cast<uint32_t>(unit / part_bytes);
  llvm::Type* part =
      part_bytes == bytes ? type : ir.getIntNTy(static_cast<unsigned>(8 * part_bytes));
  all = ir.CreateBitCast(all, llvm::FixedVectorType::get(part, stream_.width * words_each));
  Leaves loaded;
  for (uint32_t m = 0; m < words_each; ++m)
    appendParts(ir, ir.CreateShuffleVector(all, sequence(m, stream_.width, words_each)), type,
                loaded);
  return loaded;
}

bool Emission::storeInRuns(const Pointer& p, llvm::ArrayRef<LeafLayout> leaves,
                           llvm::ArrayRef<llvm::Value*> stored, llvm::Value* inside) {
  const uint64_t bytes = memberBytes(leaves, kMaxMembers);
  const bool masked = simt.mask != nullptr || inside != nullptr;
  const auto members = static_cast<uint32_t>(leaves.size());
  if (bytes == 0 || !std::has_single_bit(members)) return false;
  const uint64_t unit = bytes * members, word = masked ? maskedWordBytes(bytes, unit) : bytes;
  const auto words = static_cast<uint32_t>(unit / word);
  if (masked && words > kMaxMaskedWords) return false;
  auto runs = laneRuns(p, unit, leaves[0].offset, inside);
  if (!runs || runs->uniform || runs->step != 1) return false;
  const llvm::Align alignment(bytes);
  llvm::SmallVector<llvm::Value*, 16> parts;
  for (llvm::Value* leaf : stored) parts.push_back(simt.broadcast(leaf));
  llvm::SmallVector<llvm::Value*, 16> masks;
  if (masked) masks = masksOfRuns(*runs, words, inside);
  llvm::Value* all = joined(ir, std::move(parts));
  if (members > 1) {
    llvm::SmallVector<int, 128> order;
    for (uint32_t l = 0; l < stream_.width; ++l)
      for (uint32_t m = 0; m < members; ++m)
        order.push_back(static_cast<int>(m * stream_.width + l));
    all = ir.CreateShuffleVector(all, order);
  }
  if (word != bytes)
    all = ir.CreateBitCast(all,
                           llvm::FixedVectorType::get(ir.getIntNTy(static_cast<unsigned>(8 * word)),
                                                      stream_.width * words));
  const uint32_t each = words << runs->bits;
  // In the order of lanes: where runs overlap, the last one's stays.
  for (uint32_t k = 0; k < runs->starts.size(); ++k) {
    llvm::Value* part =
        runs->starts.size() == 1 ? all : ir.CreateShuffleVector(all, sequence(k * each, each, 1));
    if (masked)
      ir.CreateMaskedStore(part, runs->starts[k], alignment, masks[k]);
    else
      ir.CreateAlignedStore(part, runs->starts[k], alignment);
  }
  return true;
}

}  // namespace jit::spirv
