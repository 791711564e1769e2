// Panels of tiles that were recorded: packed when a chunk is multiplied, or found as an earlier
// workgroup left them.
#include <llvm/Support/xxhash.h>

#include "jit/ukernel/product.h"

namespace jit::ukernel {

using llvm::Value;

namespace {

// ptr rt::findPanel(ptr key, i64 words, i64 form, i64 bytes)
llvm::FunctionCallee findPanelFunction(llvm::Module& module, llvm::IRBuilder<>& builder) {
  llvm::Type* ptr = builder.getPtrTy();
  llvm::Type* i64 = builder.getInt64Ty();
  llvm::FunctionCallee callee = module.getOrInsertFunction(
      kFindPanel, llvm::FunctionType::get(ptr, {ptr, i64, i64, i64}, false));
  auto* function = llvm::cast<llvm::Function>(callee.getCallee());
  for (auto kind : {llvm::Attribute::NoUnwind, llvm::Attribute::WillReturn, llvm::Attribute::NoFree,
                    llvm::Attribute::NoSync, llvm::Attribute::NoCallback}) {
    function->addFnAttr(kind);
  }
  return callee;
}

}  // namespace

// Tile after tile where lines run along K, so that the parts of a line are read one after the
// other; step after step where they run across the tiles.
void Product::emitPackRecorded(const HelperScope& scope, llvm::IRBuilder<>& builder,
                               llvm::Function& function, Operand operand, const Recorded& recorded,
                               Value* panels) const {
  const bool is_a = operand == Operand::A;
  const Layout layout = is_a ? recorded.a : recorded.b;
  const bool along_k = is_a == (layout == Layout::Row);
  const uint32_t tiles = is_a ? a_tiles_ : b_tiles_;
  Value* steps = function.getArg(1);
  Value* records = offsetBy(builder, function.getArg(0), records_offset_);
  auto pack = [&](uint32_t tile, Value* step) {
    TileMemory source = records_.emitLoad(builder, records, is_a ? tile : a_tiles_ + tile, step);
    if (is_a) {
      emitPackA(scope, builder, panels, tile, step, source, layout, Prefetch::None);
    } else {
      emitPackB(scope, builder, panels, tile, step, source, layout, Prefetch::None);
    }
  };
  if (along_k) {
    for (uint32_t tile = 0; tile < tiles; ++tile) {
      emitLoop(builder, steps, 1, [&](Value* step) { pack(tile, step); });
    }
  } else {
    emitLoop(builder, steps, 1, [&](Value* step) {
      for (uint32_t tile = 0; tile < tiles; ++tile) pack(tile, step);
    });
  }
}

// Returns what offsets of the operand's panels are relative to. A chunk that is not full is not
// looked up: its records are not all of this chunk.
Value* Product::emitPanel(const HelperScope& scope, llvm::IRBuilder<>& builder,
                          llvm::Function& function, Operand operand,
                          const Recorded& recorded) const {
  Value* base = function.getArg(0);
  if (!recorded.is_shared) {
    emitPackRecorded(scope, builder, function, operand, recorded, base);
    return base;
  }
  const bool is_a = operand == Operand::A;
  const uint64_t begin = is_a ? 0 : b_offset_;
  const uint64_t bytes = is_a ? b_offset_ : c_offset_ - b_offset_;
  const uint32_t first = is_a ? 0 : a_tiles_;
  const uint32_t tiles = is_a ? a_tiles_ : b_tiles_;
  const uint64_t form =
      llvm::xxh3_64bits(mangledName() + (is_a ? ".a" : ".b") +
                        ((is_a ? recorded.a : recorded.b) == Layout::Row ? ".row" : ".column"));
  auto block = [&](const char* name) {
    return llvm::BasicBlock::Create(builder.getContext(), name, &function);
  };
  llvm::BasicBlock* before = builder.GetInsertBlock();
  auto *look = block("look"), *pack = block("pack"), *packed = block("packed");
  builder.CreateCondBr(builder.CreateICmpEQ(function.getArg(1), builder.getInt64(capacity_)), look,
                       pack);

  builder.SetInsertPoint(look);
  Value* key = offsetBy(builder, base, records_offset_ + records_.offset(first));
  Value* found = builder.CreateCall(findPanelFunction(scope.module, builder),
                                    {key, builder.getInt64(records_.words(tiles)),
                                     builder.getInt64(form), builder.getInt64(bytes)});
  Value* bits = builder.CreatePtrToInt(found, builder.getInt64Ty());
  Value* mark = builder.CreateAnd(bits, builder.getInt64(1));
  Value* memory = builder.CreatePtrAdd(
      found, builder.CreateSub(builder.getInt64(-static_cast<int64_t>(begin)), mark));
  Value* is_missing = builder.CreateIsNull(bits);
  Value* place = builder.CreateSelect(is_missing, base, memory);
  builder.CreateCondBr(builder.CreateOr(is_missing, builder.CreateIsNotNull(mark)), pack, packed);

  builder.SetInsertPoint(pack);
  llvm::PHINode* target = builder.CreatePHI(builder.getPtrTy(), 2);
  target->addIncoming(base, before);
  target->addIncoming(place, look);
  emitPackRecorded(scope, builder, function, operand, recorded, target);
  llvm::BasicBlock* pack_end = builder.GetInsertBlock();
  builder.CreateBr(packed);

  builder.SetInsertPoint(packed);
  llvm::PHINode* result = builder.CreatePHI(builder.getPtrTy(), 2);
  result->addIncoming(place, look);
  result->addIncoming(target, pack_end);
  return result;
}

}  // namespace jit::ukernel
