// Turns a C++ failure into a Java exception: the one way for every native entry.
#pragma once

#include <jni.h>

#include <limits>
#include <string>

#include "facade/facade.hpp"

namespace polyflake::java {

// Throws a Java exception unless one is pending already. The class is looked up each time: failures
// are rare, and a cached class would be the wrong one if two class loaders share this library.
inline void throw_new(JNIEnv* jenv, const char* exception, const char* message) noexcept {
  if (jenv->ExceptionCheck()) return;
  if (jclass type = jenv->FindClass(exception)) jenv->ThrowNew(type, message);
}

// Throws the result of PolyflakeException.of(code, kind, message in UTF-8, position). The message
// travels as bytes, because a JNI string is not UTF-8 and a message may quote a path.
inline void throw_failure(JNIEnv* jenv, const facade::Failure& failure) noexcept {
  if (jenv->ExceptionCheck()) return;
  jclass type = jenv->FindClass("io/github/polyflake/PolyflakeException");
  if (!type) return;
  jmethodID of = jenv->GetStaticMethodID(type, "of", "(Ljava/lang/String;Ljava/lang/String;[BI)Ljava/lang/Throwable;");
  if (!of) return;
  jstring code = jenv->NewStringUTF(failure.code.c_str());
  jstring kind = code ? jenv->NewStringUTF(failure.kind.c_str()) : nullptr;
  auto size = static_cast<jsize>(failure.message.size());
  jbyteArray message = kind ? jenv->NewByteArray(size) : nullptr;
  if (!message) return;
  jenv->SetByteArrayRegion(message, 0, size, reinterpret_cast<const jbyte*>(failure.message.data()));
  auto made = static_cast<jthrowable>(
      jenv->CallStaticObjectMethod(type, of, code, kind, message, static_cast<jint>(failure.position)));
  if (!jenv->ExceptionCheck() && made) jenv->Throw(made);
}

// For the catch-all of a native entry. Messages spell options as Generator.Builder does.
inline void throw_current_failure(JNIEnv* jenv) noexcept {
  throw_failure(jenv, facade::current_failure(facade::Spelling::builder));
}

}  // namespace polyflake::java
