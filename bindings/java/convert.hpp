// Conversions between Java's values and the facade's. Functions called outside the catch-all of a
// native entry (the typemaps) are noexcept: they throw into Java and return false or null.
#pragma once

#include <jni.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "facade/facade.hpp"
#include "failure.hpp"

namespace polyflake::java {

// A JNI string is like UTF-8, but U+0000 has two bytes, and a character beyond U+FFFF is two
// surrogates of three bytes each. Half a pair is kept as it is: the core refuses it.
inline void make_utf8(std::string& text) noexcept {
  std::size_t end = 0;
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = [&](std::size_t at) {
      return i + at < text.size() ? static_cast<unsigned char>(text[i + at]) : 0U;
    };
    if (byte(0) == 0xc0) {
      text[end++] = '\0';
      i += 2;
    } else if (byte(0) == 0xed && byte(1) >= 0xa0 && byte(1) < 0xb0 && byte(3) == 0xed && byte(4) >= 0xb0) {
      const unsigned point =
          0x10000 + ((byte(1) & 0xfU) << 16 | (byte(2) & 0x3fU) << 10 | (byte(4) & 0xfU) << 6 | (byte(5) & 0x3fU));
      i += 6;
      text[end++] = static_cast<char>(0xf0 | point >> 18);
      for (const unsigned shift : {12U, 6U, 0U}) text[end++] = static_cast<char>(0x80 | (point >> shift & 0x3f));
    } else {
      text[end++] = text[i++];
    }
  }
  text.resize(end);
}

inline bool from_java(JNIEnv* jenv, jstring text, std::string& out) noexcept {
  if (!text) {
    throw_new(jenv, "java/lang/NullPointerException", "null string");
    return false;
  }
  const char* chars = jenv->GetStringUTFChars(text, nullptr);
  if (!chars) return false;
  bool copied = true;
  try {
    out.assign(chars);
    make_utf8(out);
  } catch (...) {
    copied = false;
  }
  jenv->ReleaseStringUTFChars(text, chars);
  if (!copied) throw_new(jenv, "java/lang/OutOfMemoryError", "copying a string");
  return copied;
}

inline bool from_java(JNIEnv* jenv, jobjectArray texts, std::vector<std::string>& out) noexcept {
  if (!texts) {
    throw_new(jenv, "java/lang/NullPointerException", "null array");
    return false;
  }
  try {
    out.resize(static_cast<std::size_t>(jenv->GetArrayLength(texts)));
  } catch (...) {
    throw_current_failure(jenv);
    return false;
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    auto text = static_cast<jstring>(jenv->GetObjectArrayElement(texts, static_cast<jsize>(i)));
    bool converted = from_java(jenv, text, out[i]);
    jenv->DeleteLocalRef(text);
    if (!converted) return false;
  }
  return true;
}

inline bool from_java(JNIEnv* jenv, jbyteArray bytes, facade::Bytes& out) noexcept {
  if (!bytes) {
    throw_new(jenv, "java/lang/NullPointerException", "null array");
    return false;
  }
  const jsize size = jenv->GetArrayLength(bytes);
  try {
    jenv->GetByteArrayRegion(bytes, 0, size, reinterpret_cast<jbyte*>(out.make(static_cast<std::size_t>(size))));
  } catch (...) {
    throw_current_failure(jenv);
    return false;
  }
  return true;
}

template <typename Integer>
bool from_java(JNIEnv* jenv, jlongArray values, std::vector<Integer>& out) noexcept {
  if (!values) {
    throw_new(jenv, "java/lang/NullPointerException", "null array");
    return false;
  }
  static_assert(sizeof(jlong) == sizeof(Integer));
  try {
    out.resize(static_cast<std::size_t>(jenv->GetArrayLength(values)));
  } catch (...) {
    throw_current_failure(jenv);
    return false;
  }
  jenv->GetLongArrayRegion(values, 0, static_cast<jsize>(out.size()), reinterpret_cast<jlong*>(out.data()));
  return true;
}

inline jstring to_java(JNIEnv* jenv, const std::string& ascii) noexcept { return jenv->NewStringUTF(ascii.c_str()); }

inline jobjectArray to_java(JNIEnv* jenv, const std::vector<std::string>& texts) noexcept {
  jclass type = jenv->FindClass("java/lang/String");
  jobjectArray out = type ? jenv->NewObjectArray(static_cast<jsize>(texts.size()), type, nullptr) : nullptr;
  for (std::size_t i = 0; out && i < texts.size(); ++i) {
    jstring text = to_java(jenv, texts[i]);
    if (!text) return nullptr;
    jenv->SetObjectArrayElement(out, static_cast<jsize>(i), text);
    jenv->DeleteLocalRef(text);
  }
  return out;
}

inline jintArray to_java(JNIEnv* jenv, const std::vector<int>& values) noexcept {
  static_assert(sizeof(jint) == sizeof(int));  // unlike long, also on Windows
  jintArray out = jenv->NewIntArray(static_cast<jsize>(values.size()));
  if (out)
    jenv->SetIntArrayRegion(out, 0, static_cast<jsize>(values.size()), reinterpret_cast<const jint*>(values.data()));
  return out;
}

inline jlongArray to_java(JNIEnv* jenv, const std::vector<std::uint64_t>& values) noexcept {
  jlongArray out = jenv->NewLongArray(static_cast<jsize>(values.size()));
  if (out)
    jenv->SetLongArrayRegion(out, 0, static_cast<jsize>(values.size()), reinterpret_cast<const jlong*>(values.data()));
  return out;
}

// Returns time_ms, tick, sequence, node, then the node fields' values: one array, so that decoding
// is one call.
inline jlongArray to_java(JNIEnv* jenv, const Parts& parts) noexcept {
  const jlong head[] = {parts.time_ms, static_cast<jlong>(parts.tick), parts.sequence, static_cast<jlong>(parts.node)};
  constexpr jsize kHead = 4;
  jlongArray out = jenv->NewLongArray(kHead + static_cast<jsize>(parts.fields.size()));
  if (!out) return nullptr;
  jenv->SetLongArrayRegion(out, 0, kHead, head);
  for (std::size_t i = 0; i < parts.fields.size(); ++i) {
    const jlong value = parts.fields[i];
    jenv->SetLongArrayRegion(out, kHead + static_cast<jsize>(i), 1, &value);
  }
  return out;
}

// Reads rows of texts, of which some may be null.
inline bool from_java(JNIEnv* jenv, jobjectArray rows, facade::StoreReply& out) noexcept {
  if (!rows) {
    throw_new(jenv, "java/lang/NullPointerException", "null array");
    return false;
  }
  try {
    const jsize count = jenv->GetArrayLength(rows);
    for (jsize i = 0; i < count; ++i) {
      auto row = static_cast<jobjectArray>(jenv->GetObjectArrayElement(rows, i));
      if (!row) {
        throw_new(jenv, "java/lang/NullPointerException", "null row");
        return false;
      }
      out.begin_row();
      const jsize width = jenv->GetArrayLength(row);
      for (jsize k = 0; k < width; ++k) {
        auto text = static_cast<jstring>(jenv->GetObjectArrayElement(row, k));
        std::string value;
        if (!text) {
          out.add_nothing();
        } else if (from_java(jenv, text, value)) {
          out.add(value);
        } else {
          return false;
        }
        jenv->DeleteLocalRef(text);
      }
      jenv->DeleteLocalRef(row);
    }
    return true;
  } catch (...) {
    throw_current_failure(jenv);
    return false;
  }
}

// Returns the name of an option in the builders.
inline std::string spelled_for_builder(const std::string& option) {
  return facade::spelled(option, facade::Spelling::builder);
}

// Claims one range of at most `count` ids into ids[from ...]. Returns how many, negative if the
// caller must wait for the last one. Pinning the array delays the collector, so it is pinned only
// for the arithmetic: steps that may do file I/O come before.
inline jint claim_range(JNIEnv* jenv, facade::Generator& generator, jlongArray ids, jint from, jint count) {
  constexpr jint kMost = 1 << 16;  // so that an array is pinned for some 10 us
  const IdRange range = generator.claim_range(static_cast<std::size_t>(count < kMost ? count : kMost));
  if (range.count == 0) return 0;
  void* const pinned = jenv->GetPrimitiveArrayCritical(ids, nullptr);
  if (pinned == nullptr) {
    throw_new(jenv, "java/lang/OutOfMemoryError", "pinning an array");
    return 0;
  }
  range.write(static_cast<std::uint64_t*>(pinned) + from);
  jenv->ReleasePrimitiveArrayCritical(ids, pinned, 0);
  const auto written = static_cast<jint>(range.count);
  return range.ready ? written : -written;
}

}  // namespace polyflake::java
