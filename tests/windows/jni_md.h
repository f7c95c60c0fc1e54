// What jni.h asks of the system's own header of a JDK, for Windows: as the JNI specification and the compilers there have it.
// A JDK of another system does not bring it.
#pragma once

#define JNIEXPORT __declspec(dllexport)
#define JNIIMPORT __declspec(dllimport)
#define JNICALL __stdcall

typedef long jint;
typedef long long jlong;
typedef signed char jbyte;
