// The JNI library of the command line, only for io.github.polyflake.Main: the functions that
// NativeCommand declares. Written by hand, since it has only five entries.
#include <jni.h>

#include <exception>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "command.hpp"

namespace polyflake::java {
namespace {

// Thrown if an exception of Java is pending.
class Pending : public std::exception {};

void throw_new(JNIEnv* env, const char* exception, const char* message) noexcept {
  if (jclass type = env->FindClass(exception)) env->ThrowNew(type, message);
}

// A reference from a call of JNI, or from Java itself, which may give null.
template <class Reference>
Reference checked(JNIEnv* env, Reference reference) {
  if (reference == nullptr && !env->ExceptionCheck()) throw_new(env, "java/lang/NullPointerException", "null");
  if (reference == nullptr || env->ExceptionCheck()) throw Pending{};
  return reference;
}

std::string text_of(JNIEnv* env, jbyteArray bytes) {
  std::string text(static_cast<std::size_t>(env->GetArrayLength(checked(env, bytes))), '\0');
  env->GetByteArrayRegion(bytes, 0, static_cast<jsize>(text.size()), reinterpret_cast<jbyte*>(text.data()));
  return text;
}

std::string text_of(JNIEnv* env, jstring java) {
  const char* const chars = checked(env, env->GetStringUTFChars(checked(env, java), nullptr));
  std::string text(chars);
  env->ReleaseStringUTFChars(java, chars);
  return text;
}

// Takes one after another, and releases each before the next.
template <class Element, class Take>
void for_each(JNIEnv* env, jobjectArray array, const Take& take) {
  const jsize length = env->GetArrayLength(checked(env, array));
  for (jsize i = 0; i < length; ++i) {
    auto element = static_cast<Element>(checked(env, env->GetObjectArrayElement(array, i)));
    take(element);
    env->DeleteLocalRef(element);
  }
}

jobjectArray to_java(JNIEnv* env, const std::vector<std::string>& texts) {
  jclass type = checked(env, env->FindClass("java/lang/String"));
  auto array = checked(env, env->NewObjectArray(static_cast<jsize>(texts.size()), type, nullptr));
  for (std::size_t i = 0; i < texts.size(); ++i) {
    jstring text = checked(env, env->NewStringUTF(texts[i].c_str()));
    env->SetObjectArrayElement(array, static_cast<jsize>(i), text);
    env->DeleteLocalRef(text);
  }
  return array;
}

cli::Command& command_of(jlong handle) {
  return *reinterpret_cast<cli::Command*>(handle);  // NOLINT(performance-no-int-to-ptr): as in JNI
}

// Only exceptions of Java leave a native entry.
template <class Result, class Call>
Result guarded(JNIEnv* env, Result otherwise, const Call& call) noexcept {
  try {
    return call();
  } catch (const Pending&) {
    // Java sees it when this returns.
  } catch (const std::bad_alloc&) {
    throw_new(env, "java/lang/OutOfMemoryError", "in the command line");
  } catch (const std::exception& failure) {
    throw_new(env, "java/lang/IllegalStateException", failure.what());
  } catch (...) {
    throw_new(env, "java/lang/IllegalStateException", "in the command line");
  }
  return otherwise;
}

}  // namespace
}  // namespace polyflake::java

using polyflake::cli::Command;
using polyflake::cli::Row;
using polyflake::cli::Rows;
namespace java = polyflake::java;

// NOLINTBEGIN(readability-identifier-naming): JNI sets these names.
extern "C" {

JNIEXPORT jlong JNICALL Java_io_github_polyflake_internal_NativeCommand_open(JNIEnv* env, jclass,
                                                                             jobjectArray arguments) {
  return java::guarded(env, jlong{0}, [&] {
    std::vector<std::string> texts;
    java::for_each<jbyteArray>(env, arguments, [&](jbyteArray one) { texts.push_back(java::text_of(env, one)); });
    return reinterpret_cast<jlong>(std::make_unique<Command>(std::move(texts)).release());
  });
}

JNIEXPORT jobjectArray JNICALL Java_io_github_polyflake_internal_NativeCommand_step(JNIEnv* env, jclass, jlong handle) {
  return java::guarded(env, jobjectArray{nullptr}, [&]() -> jobjectArray {
    const auto request = java::command_of(handle).step();
    if (!request) return nullptr;
    std::vector<std::string> texts{request->operation, request->store, request->layout};
    texts.insert(texts.end(), request->arguments.begin(), request->arguments.end());
    return java::to_java(env, texts);
  });
}

JNIEXPORT void JNICALL Java_io_github_polyflake_internal_NativeCommand_deliver(JNIEnv* env, jclass, jlong handle,
                                                                               jobjectArray array) {
  java::guarded(env, 0, [&] {
    Rows rows;
    java::for_each<jobjectArray>(env, array, [&](jobjectArray texts) {
      Row row;
      java::for_each<jstring>(env, texts, [&](jstring text) { row.push_back(java::text_of(env, text)); });
      rows.push_back(std::move(row));
    });
    java::command_of(handle).deliver(std::move(rows));
    return 0;
  });
}

JNIEXPORT void JNICALL Java_io_github_polyflake_internal_NativeCommand_fail(JNIEnv* env, jclass, jlong handle,
                                                                            jstring code, jbyteArray message) {
  java::guarded(env, 0, [&] {
    java::command_of(handle).fail(java::text_of(env, code), java::text_of(env, message));
    return 0;
  });
}

JNIEXPORT jint JNICALL Java_io_github_polyflake_internal_NativeCommand_exitCode(JNIEnv*, jclass, jlong handle) {
  return java::command_of(handle).exit_code();
}

}  // extern "C"
// NOLINTEND(readability-identifier-naming)
