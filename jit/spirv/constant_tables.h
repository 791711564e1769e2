// SPDX-License-Identifier: Apache-2.0

// Arrays of constants that are only read: data of the kernel, not variables that are filled.
//
// SPIR-V has no index into a constant that is known at run time only, so compilers copy constant
// arrays into variables of storage class Function, each time they are used. Filling such a variable
// takes time when the kernel runs, and when it is compiled.
#pragma once

namespace llvm {
class Constant;
class Module;
}  // namespace llvm

namespace jit::spirv {

struct Constant;
struct Module;
struct Variable;

// Finds the Function and Private variables of the entry point that hold an array, and to which
// nothing is ever stored but one constant, as a whole. Their stores go, the constant becomes their
// initializer, and they are decorated as NonWritable. (Before the store such a variable's value is
// undefined, so it may be the constant.)
void findConstantTables(Module& module);

// Whether the variable is one: NonWritable, with an initializer.
bool isConstantTable(const Module& module, const Variable& variable);

// The table's memory in `to`, in natural layout (memory_layout.h), shared by tables of the same
// contents; its name has `number`.
llvm::Constant* constantTable(const Constant& constant, unsigned number, llvm::Module& to);

}  // namespace jit::spirv
