// SPDX-License-Identifier: Apache-2.0

// Static objects of the driver and of all that is linked into it, LLVM above all, live as long as
// the process: exit handlers and static destructors of the application, and other threads, may use
// the driver when its own static objects would be gone. The library is never unmapped, so nothing
// but destroying them could take them away.

// What the compiler calls to have an object destroyed at the end; the linker puts the first in the
// place of the second for this library (cmake/DriverLibrary.cmake).
// NOLINTBEGIN(bugprone-reserved-identifier): the linker's names
extern "C" int __wrap___cxa_atexit(void (*destroy)(void*), void* object, void* library);
extern "C" int __real___cxa_atexit(void (*destroy)(void*), void* object, void* library);
// NOLINTEND(bugprone-reserved-identifier)

namespace {

// std::ios_base::Init, one in each source file that includes <iostream>: the last one to go flushes
// the standard streams, which are the process's.
extern "C" void destroyStreamInit(void* object) asm("_ZNSt8ios_base4InitD1Ev");

}  // namespace

int __wrap___cxa_atexit(void (*destroy)(void*), void* object, void* library) {
  return destroy == &destroyStreamInit ? __real___cxa_atexit(destroy, object, library) : 0;
}
