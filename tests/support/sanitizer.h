// Which sanitizer the program is built with, by both compilers' names.
#pragma once

#if defined(__SANITIZE_THREAD__)
#define TESSERA_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TESSERA_THREAD_SANITIZER 1
#endif
#endif
#ifndef TESSERA_THREAD_SANITIZER
#define TESSERA_THREAD_SANITIZER 0
#endif
