// SPDX-License-Identifier: Apache-2.0

// Functions that the driver writes in place of an instruction, before calls are inlined. What
// SPIR-V leaves to the implementation - how a function is applied to every element of a matrix, for
// one - becomes ordinary structured code: loops with calls of the client's functions in them.
// Inlining does the rest, as for any call.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>

#include <initializer_list>
#include <span>

#include "jit/spirv/internal_ops.h"
#include "jit/spirv/reading.h"
#include "jit/spirv/word_arena.h"

namespace jit::spirv {

// Writes the function that `replaced` is to call. Its instructions have the location of that one.
class FunctionBuilder {
 public:
  FunctionBuilder(Reading& reading, WordArena& words, const Instruction& replaced);

  // Types, added to the module where it lacks them.
  const Type& boolean();
  const Type& u32();
  const Type& pointerTo(const Type& pointee);  // in the Function storage class
  const Type& array(const Type& element, uint32_t count);
  // A matrix like this one with other sizes.
  const Type& resized(const Type& matrix, uint32_t rows, uint32_t columns);
  Id constant(uint32_t value);

  // A parameter, for which the call passes `argument`, an id of the calling function.
  Id parameter(Id argument);
  // A variable of the function. It is not initialised.
  Id variable(const Type& type);

  // Instructions, in order; operands are ids all. The result's id where there is one.
  Id emit(spv::Op op, const Type& type, llvm::ArrayRef<Id> operands);
  Id emit(InternalOp op, const Type& type, llvm::ArrayRef<Id> operands) {
    return emit(opcode(op), type, operands);
  }
  Id arithmetic(spv::Op op, Id a, Id b) { return emit(op, u32(), {a, b}); }  // in u32
  Id load(const Type& type, Id pointer) { return emit(spv::Op::OpLoad, type, {pointer}); }
  void store(Id pointer, Id object);
  // Other invocations of the workgroup see what was stored before.
  void memoryBarrier();
  // What `body` writes may be a function of its own where there is more of it. It leaves its
  // results in memory.
  void shared(llvm::function_ref<void()> body);
  // A variable that holds `value`.
  Id variableWith(const Type& type, Id value);

  using Body = llvm::function_ref<void(Id)>;
  using Step = llvm::function_ref<Id(Id)>;
  // for (i = first; condition(i); i = next(i)) body(i), in 32 bits. What `condition` makes is known
  // in the others, what `body` makes is not known in `next`.
  void loop(Id first, Step condition, Body body, Step next);
  // for (i = 0; i < count; i += step) body(i).
  void count(Id count, Id step, Body body);
  // if (condition) body().
  void when(Id condition, llvm::function_ref<void()> body);

  // Ends the function.
  void finish(Id result);
  // What stands in place of the instruction, and the function that it calls.
  Instruction call();
  Function take() { return std::move(function_); }

  // Type of a value of the calling function; null for what has none.
  llvm::Expected<const Type*> typeOf(Id argument) const;
  Reading& reading() { return reading_; }

 private:
  const Type& find(llvm::function_ref<bool(const Type&)> fits, Type made);
  Id freshId() { return reading_.module.bound++; }
  Instruction instruction(spv::Op op, llvm::ArrayRef<uint32_t> operands);
  void startBlock(Id label);
  void endBlock(spv::Op op, llvm::ArrayRef<Id> operands);
  Block& current() { return function_.blocks.back(); }

  Reading& reading_;
  WordArena& words_;
  const Instruction replaced_;
  Function function_;
  llvm::SmallVector<Id, 8> arguments_;
};

}  // namespace jit::spirv
