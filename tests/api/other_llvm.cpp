// SPDX-License-Identifier: Apache-2.0

#include "tests/api/other_llvm.h"

#include <dlfcn.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>

namespace api_test {

OtherLlvm::OtherLlvm(const std::string& name)
    : library_(dlopen(name.c_str(), RTLD_NOW | RTLD_GLOBAL)) {
  if (library_ == nullptr) throw std::runtime_error(dlerror());
  for (const char* initialize :
       {"LLVMInitializeX86TargetInfo", "LLVMInitializeX86Target", "LLVMInitializeX86TargetMC",
        "LLVMInitializeX86AsmPrinter", "LLVMLinkInMCJIT"}) {
    find<void()>(initialize)();
  }
}

template <typename Function>
Function* OtherLlvm::find(const char* name) const {
  auto* function = reinterpret_cast<Function*>(dlsym(library_, name));
  if (function == nullptr) throw std::runtime_error(dlerror());
  return function;
}

// The types of llvm-c/Core.h and ExecutionEngine.h are all pointers to what nobody sees.
int OtherLlvm::addToOne(int number) const {
  using Object = void*;
  Object context = find<Object()>("LLVMContextCreate")();
  Object module =
      find<Object(const char*, Object)>("LLVMModuleCreateWithNameInContext")("m", context);
  Object integer = find<Object(Object)>("LLVMInt32TypeInContext")(context);
  Object type =
      find<Object(Object, Object*, unsigned, int)>("LLVMFunctionType")(integer, &integer, 1, 0);
  Object function = find<Object(Object, const char*, Object)>("LLVMAddFunction")(module, "f", type);
  Object block = find<Object(Object, Object, const char*)>("LLVMAppendBasicBlockInContext")(
      context, function, "");
  Object builder = find<Object(Object)>("LLVMCreateBuilderInContext")(context);
  find<void(Object, Object)>("LLVMPositionBuilderAtEnd")(builder, block);
  Object sum = find<Object(Object, Object, Object, const char*)>("LLVMBuildAdd")(
      builder, find<Object(Object, unsigned)>("LLVMGetParam")(function, 0),
      find<Object(Object, unsigned long long, int)>("LLVMConstInt")(
          integer, static_cast<unsigned long long>(number), 1),
      "");
  find<Object(Object, Object)>("LLVMBuildRet")(builder, sum);
  find<void(Object)>("LLVMDisposeBuilder")(builder);

  Object engine = nullptr;
  char* message = nullptr;
  if (find<int(Object*, Object, void*, size_t, char**)>("LLVMCreateMCJITCompilerForModule")(
          &engine, module, nullptr, 0, &message) != 0) {
    throw std::runtime_error(message);
  }
  const uint64_t address =
      find<uint64_t(Object, const char*)>("LLVMGetFunctionAddress")(engine, "f");
  const int result = reinterpret_cast<int (*)(int)>(address)(1);
  find<void(Object)>("LLVMDisposeExecutionEngine")(engine);
  find<void(Object)>("LLVMContextDispose")(context);
  return result;
}

}  // namespace api_test
