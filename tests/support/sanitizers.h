// Which sanitizer the tests are built with: what changes memory and time for everybody.
#pragma once

#if defined(__has_feature)
#define TESSERA_HAS_FEATURE(feature) __has_feature(feature)
#else
#define TESSERA_HAS_FEATURE(feature) 0
#endif

namespace test {

#if defined(__SANITIZE_ADDRESS__) || TESSERA_HAS_FEATURE(address_sanitizer)
inline constexpr bool kAddressSanitizer = true;
#else
inline constexpr bool kAddressSanitizer = false;
#endif

}  // namespace test

#undef TESSERA_HAS_FEATURE
