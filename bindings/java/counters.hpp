// Counters: claiming numbers, which SWIG cannot return through a pointer.
#pragma once

#include <jni.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "convert.hpp"
#include "facade/facade.hpp"

namespace polyflake::java {

// Return a number, or -1 if there is none now. claim_held() takes no lock for a segment. After the
// others the caller asks source.take_wake(). early: as in claim_number().
inline std::int64_t claim_held(facade::CountedSource& source) {
  std::uint64_t number = 0;
  return source.claim_held(number) ? static_cast<std::int64_t>(number) : -1;
}
inline std::int64_t claim_next(facade::CountedSource& source, std::uint64_t early) {
  return source.claim_number(facade::Claiming::slowly, early);
}
inline std::int64_t claim_unless_waiting(facade::CountedSource& source) {
  return source.claim_number(facade::Claiming::unless_waiting, 0);
}

// Writes the words of Range::Words into words[0 ...], in their order, each as a direct buffer over
// the memory of the source, and returns the owner. Writes none if each number must be a call.
inline std::int64_t range_words(JNIEnv* jenv, const facade::CountedSource& source, jobjectArray words) {
  using Word = std::atomic<std::uint64_t>;
  Range* const range = source.range();
  // C++ may guard a word with a lock that Java does not know.
  if (range == nullptr || !Word::is_always_lock_free || sizeof(Word) != sizeof(jlong)) return 0;
  const Range::Words found = range->words();
  jsize at = 0;
  for (const Word* word :
       {found.paused, static_cast<const Word*>(found.next), found.limit, found.begin, found.execution}) {
    jobject buffer = jenv->NewDirectByteBuffer(const_cast<Word*>(word), sizeof(jlong));
    if (!buffer) return 0;  // an exception is pending
    jenv->SetObjectArrayElement(words, at++, buffer);
    jenv->DeleteLocalRef(buffer);
  }
  return static_cast<std::int64_t>(found.owner);
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
