// Attributes that say which lock guards what. clang checks them (-Wthread-safety, in the lint);
// other compilers ignore them.
#pragma once

#if defined(__clang__)
#define POLYFLAKE_THREAD_SAFETY(attribute) __attribute__((attribute))
#else
#define POLYFLAKE_THREAD_SAFETY(attribute)
#endif

#define POLYFLAKE_LOCK POLYFLAKE_THREAD_SAFETY(capability("lock"))
#define POLYFLAKE_HOLDS_LOCK POLYFLAKE_THREAD_SAFETY(scoped_lockable)
#define POLYFLAKE_GUARDED_BY(lock) POLYFLAKE_THREAD_SAFETY(guarded_by(lock))
#define POLYFLAKE_REQUIRES(lock) POLYFLAKE_THREAD_SAFETY(requires_capability(lock))
#define POLYFLAKE_ACQUIRES(...) POLYFLAKE_THREAD_SAFETY(acquire_capability(__VA_ARGS__))
#define POLYFLAKE_TRY_ACQUIRES(result) POLYFLAKE_THREAD_SAFETY(try_acquire_capability(result))
#define POLYFLAKE_RELEASES(...) POLYFLAKE_THREAD_SAFETY(release_capability(__VA_ARGS__))
#define POLYFLAKE_RETURNS_LOCK(lock) POLYFLAKE_THREAD_SAFETY(lock_returned(lock))
