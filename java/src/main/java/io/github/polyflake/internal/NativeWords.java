package io.github.polyflake.internal;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.ref.Reference;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Words of 64 bits in native memory, each a direct buffer. C++ has them as {@code std::atomic}: for
 * it and a {@code VarHandle} the processor does the same.
 *
 * <p>The methods of {@code VarHandle} are found by name, since Java 8 has none. A method handle in
 * a static final field is a constant to the compiler, so this costs nothing.
 */
final class NativeWords {
  private static final Method VIEW = view();
  private static final MethodHandle GET_ACQUIRE = access("getAcquire", long.class);
  private static final MethodHandle GET_OPAQUE = access("getOpaque", long.class);
  private static final MethodHandle GET_AND_ADD = access("getAndAdd", long.class, long.class);
  private static final MethodHandle REACHABILITY_FENCE = reachabilityFence();

  private NativeWords() {}

  /** Returns false on Java 8 and in a native image. Then nothing else of this class may be used. */
  static boolean areUsable() {
    return VIEW != null;
  }

  /** Returns the value; what was written before it is visible to later reads of this thread. */
  static long getAcquire(ByteBuffer word) throws Throwable {
    return (long) GET_ACQUIRE.invokeExact(word, 0);
  }

  /** Returns the value, in no order with other words: relaxed in C++. */
  static long getOpaque(ByteBuffer word) throws Throwable {
    return (long) GET_OPAQUE.invokeExact(word, 0);
  }

  /** Adds 1 and returns the former value. Acquire-release and more. */
  static long getAndIncrement(ByteBuffer word) throws Throwable {
    return (long) GET_AND_ADD.invokeExact(word, 0, 1L);
  }

  /** Keeps the object reachable up to this call. */
  static void reachabilityFence(Object object) throws Throwable {
    REACHABILITY_FENCE.invokeExact(object);
  }

  /**
   * Returns the method that makes the {@code VarHandle}; null if there is none, and in a native
   * image: a handle that is made at run time is not compiled there, and costs more than a native
   * call.
   */
  private static Method view() {
    try {
      return System.getProperty("org.graalvm.nativeimage.imagecode") != null ? null
          : MethodHandles.class.getMethod("byteBufferViewVarHandle", Class.class, ByteOrder.class);
    } catch (NoSuchMethodException e) {
      return null; // Java 8
    }
  }

  private static MethodHandle access(String name, Class<?> result, Class<?>... values) {
    if (VIEW == null) {
      return null;
    }
    MethodType type = MethodType.methodType(result, ByteBuffer.class, int.class).appendParameterTypes(values);
    try {
      Object words = VIEW.invoke(null, long[].class, ByteOrder.nativeOrder());
      return MethodHandles.publicLookup().findVirtual(VIEW.getReturnType(), name, type).bindTo(words);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  private static MethodHandle reachabilityFence() {
    if (VIEW == null) {
      return null;
    }
    try {
      MethodType type = MethodType.methodType(void.class, Object.class);
      return MethodHandles.publicLookup().findStatic(Reference.class, "reachabilityFence", type);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }
}
