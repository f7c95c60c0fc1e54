// Kinds of ids: conversions that SWIG lacks. Ids are bytes here, big endian, one id after the
// other.
#pragma once

#include <jni.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "convert.hpp"
#include "facade/facade.hpp"

namespace polyflake::java {

inline bool bytes_from_java(JNIEnv* jenv, jbyteArray bytes, std::string& out) noexcept {
  if (!bytes) {
    throw_new(jenv, "java/lang/NullPointerException", "null array");
    return false;
  }
  try {
    out.resize(static_cast<std::size_t>(jenv->GetArrayLength(bytes)));
  } catch (...) {
    throw_current_failure(jenv);
    return false;
  }
  jenv->GetByteArrayRegion(bytes, 0, static_cast<jsize>(out.size()), reinterpret_cast<jbyte*>(out.data()));
  return true;
}

inline jbyteArray bytes_to_java(JNIEnv* jenv, const std::string& bytes) noexcept {
  const auto size = static_cast<jsize>(bytes.size());
  jbyteArray out = jenv->NewByteArray(size);
  if (out) jenv->SetByteArrayRegion(out, 0, size, reinterpret_cast<const jbyte*>(bytes.data()));
  return out;
}

// Returns the instant, then the others.
inline jlongArray to_java(JNIEnv* jenv, const facade::IdParts& parts) noexcept {
  const auto count = static_cast<jsize>(parts.values.size());
  const jlong time_ms = parts.time_ms;
  jlongArray out = jenv->NewLongArray(1 + count);
  if (!out) return nullptr;
  jenv->SetLongArrayRegion(out, 0, 1, &time_ms);
  jenv->SetLongArrayRegion(out, 1, count, reinterpret_cast<const jlong*>(parts.values.data()));
  return out;
}

// Large numbers of ids pass through memory of this size: no array is pinned while random bits are
// read.
constexpr jsize kPiece = 256;

// Writes the ids of all positions; `ids` has room for them. Errors: as Generator::spell(). A JVM
// cannot go on in a copy of its process.
inline void spell(JNIEnv* jenv, facade::Generator& generator, jlongArray positions, jbyteArray ids) {
  const auto id_bytes = static_cast<jsize>(generator.id_bytes());
  const jsize count = jenv->GetArrayLength(positions);
  std::uint64_t claimed[kPiece];
  unsigned char spelled[kPiece * facade::kMostIdBytes];
  for (jsize done = 0; done < count; done += kPiece) {
    const jsize now = std::min(count - done, kPiece);
    jenv->GetLongArrayRegion(positions, done, now, reinterpret_cast<jlong*>(claimed));
    generator.spell(claimed, static_cast<std::size_t>(now), spelled);
    jenv->SetByteArrayRegion(ids, done * id_bytes, now * id_bytes, reinterpret_cast<const jbyte*>(spelled));
  }
}

// Overwrites all of `ids`, whole ids. Errors: as FreeSource::claim_ids().
inline void fill_free(JNIEnv* jenv, facade::FreeSource& source, jbyteArray ids) {
  const auto id_bytes = static_cast<jsize>(source.id_bytes());
  const jsize count = jenv->GetArrayLength(ids) / id_bytes;
  unsigned char filled[kPiece * facade::kMostIdBytes];
  jsize done = 0;
  do {  // at least once, so that a closed source fails even for no ids
    const jsize now = std::min(count - done, kPiece);
    source.claim_ids(filled, static_cast<std::size_t>(now));
    jenv->SetByteArrayRegion(ids, done * id_bytes, now * id_bytes, reinterpret_cast<const jbyte*>(filled));
    done += now;
  } while (done < count);
}

}  // namespace polyflake::java
