// Kinds of ids: what SWIG cannot convert by itself. Ids are bytes here, big endian, one id after the other.
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

template <std::size_t count>
jlongArray words_to_java(JNIEnv* jenv, const jlong (&words)[count]) noexcept {
  jlongArray out = jenv->NewLongArray(count);
  if (out) jenv->SetLongArrayRegion(out, 0, count, words);
  return out;
}

// In the order of their members.
inline jlongArray to_java(JNIEnv* jenv, const facade::Uuid7Parts& parts) noexcept {
  return words_to_java(jenv, {parts.time_ms, static_cast<jlong>(parts.tick), parts.sequence,
                              static_cast<jlong>(parts.node), static_cast<jlong>(parts.tail)});
}

inline jlongArray to_java(JNIEnv* jenv, const facade::ObjectIdParts& parts) noexcept {
  return words_to_java(jenv, {parts.time_ms, static_cast<jlong>(parts.process), parts.counter});
}

// The name; then the store, where there is one.
inline jobjectArray to_java(JNIEnv* jenv, const facade::KindText& kind) noexcept {
  try {
    std::vector<std::string> texts{kind.name};
    if (kind.has_store) texts.push_back(kind.store);
    return to_java(jenv, texts);
  } catch (...) {
    throw_current_failure(jenv);
    return nullptr;
  }
}

// Ids by the thousand pass through memory of this size: no array is pinned while random bits are asked for.
constexpr jsize kPiece = 256;

// Writes the ids of all positions; `ids` has room for them. Errors: as Generator::spell(), forked_generator.
inline void spell(JNIEnv* jenv, facade::Generator& generator, jlongArray positions, jbyteArray ids) {
  const std::uint64_t execution = facade::execution();
  const auto id_bytes = static_cast<jsize>(generator.id_bytes());
  const jsize count = jenv->GetArrayLength(positions);
  std::uint64_t claimed[kPiece];
  unsigned char spelled[kPiece * facade::kUuidBytes];
  for (jsize done = 0; done < count; done += kPiece) {
    const jsize now = std::min(count - done, kPiece);
    jenv->GetLongArrayRegion(positions, done, now, reinterpret_cast<jlong*>(claimed));
    if (!generator.spell(claimed, static_cast<std::size_t>(now), spelled, execution)) {
      facade::raise("forked_generator", "a JVM cannot go on in a copy of its process");
    }
    jenv->SetByteArrayRegion(ids, done * id_bytes, now * id_bytes, reinterpret_cast<const jbyte*>(spelled));
  }
}

// Overwrites all of `uuids`, a multiple of 16 bytes. Errors: as RandomUuids::fill().
inline void fill_random(JNIEnv* jenv, facade::RandomUuids& source, jbyteArray uuids) {
  constexpr auto kBytes = static_cast<jsize>(facade::kUuidBytes);
  const jsize count = jenv->GetArrayLength(uuids) / kBytes;
  unsigned char filled[kPiece * facade::kUuidBytes];
  jsize done = 0;
  do {  // at least once, so that a closed source refuses no ids, too
    const jsize now = std::min(count - done, kPiece);
    source.fill(filled, static_cast<std::size_t>(now));
    jenv->SetByteArrayRegion(uuids, done * kBytes, now * kBytes, reinterpret_cast<const jbyte*>(filled));
    done += now;
  } while (done < count);
}

}  // namespace polyflake::java
