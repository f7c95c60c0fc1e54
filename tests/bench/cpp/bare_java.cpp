// The bare work as an empty native call of Java: bench.Bare.
#include <jni.h>

#include "bare.hpp"

namespace {

using namespace polyflake::bench;

template <class Time>
jlong JNICALL work(JNIEnv*, jclass) {
  return static_cast<jlong>(bare_work<Time>(shared_word));
}

}  // namespace

// static native String choose(): binds work() to the cheaper time and says which that is.
extern "C" JNIEXPORT jstring JNICALL Java_bench_Bare_choose(JNIEnv* env, jclass type) {
  return with_the_cheaper_time([&](auto time) {
    using Time = decltype(time);
    char name[] = "work", signature[] = "()J";
    const JNINativeMethod method = {name, signature, reinterpret_cast<void*>(work<Time>)};
    env->RegisterNatives(type, &method, 1);
    return env->NewStringUTF(Time::kName);
  });
}
