// What the thread sanitizer gets wrong about oneTBB, for programs that have the runtime in them.
//
// oneTBB is not instrumented, so the sanitizer does not see how it orders what it allocates and
// frees for itself. Our own code needs no suppression (see runtime/task_arena.h).

#if defined(__SANITIZE_THREAD__)
#define TESSERA_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TESSERA_THREAD_SANITIZER 1
#endif
#endif

#if defined(TESSERA_THREAD_SANITIZER)
extern "C" __attribute__((visibility("default"))) const char* __tsan_default_suppressions() {
  return "called_from_lib:libtbb.so\n";
}
#endif
