// For the fast path, which Clang finds too long to inline. A call of its own costs some of the time
// of an id, most of all after the swap.
#pragma once

#if defined(__GNUC__)
#define POLYFLAKE_ALWAYS_INLINE __attribute__((always_inline))
#else
#define POLYFLAKE_ALWAYS_INLINE
#endif
