// Counters: claiming numbers, which SWIG cannot return through a pointer.
#pragma once

#include <jni.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "convert.hpp"
#include "facade/facade.hpp"

namespace polyflake::java {

inline std::int64_t claim_number(facade::CountedSource& source, facade::Claiming how) {
  std::uint64_t number = 0;
  const std::int64_t word = source.claim_id(how, reinterpret_cast<unsigned char*>(&number));
  return word < 0 ? word : static_cast<std::int64_t>(number);
}

// Return a number, or -1 if there is none now. claim_held() takes no lock for a segment. After the
// others the caller asks source.take_wake().
inline std::int64_t claim_held(facade::CountedSource& source) {
  std::uint64_t number = 0;
  return source.claim_held(number) ? static_cast<std::int64_t>(number) : -1;
}
inline std::int64_t claim_next(facade::CountedSource& source) { return claim_number(source, facade::Claiming::slowly); }
inline std::int64_t claim_unless_waiting(facade::CountedSource& source) {
  return claim_number(source, facade::Claiming::unless_waiting);
}

// Claims at most `count` numbers into numbers[from ...]. Returns how many; 0 if the caller must
// wait. After it the caller asks source.take_wake().
inline jint claim_numbers(JNIEnv* jenv, facade::CountedSource& source, jlongArray numbers, jint from, jint count) {
  constexpr jint kMost = 1 << 16;  // half a megabyte
  std::vector<std::uint64_t> claimed(static_cast<std::size_t>(std::min(count, kMost)));
  const IdRange range = source.claim_ids(reinterpret_cast<unsigned char*>(claimed.data()), claimed.size());
  const auto written = static_cast<jint>(range.count);
  jenv->SetLongArrayRegion(numbers, from, written, reinterpret_cast<const jlong*>(claimed.data()));
  return written;
}

}  // namespace polyflake::java
