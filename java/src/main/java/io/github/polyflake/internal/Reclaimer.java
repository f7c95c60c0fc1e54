package io.github.polyflake.internal;

import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;

/**
 * Frees a native object after its Java proxy has become unreachable. There is no thread and no
 * {@code finalize()}: the call that makes the next native object frees those that the collector has
 * found dead since the last one.
 */
final class Reclaimer extends PhantomReference<Object> {
  private static final ReferenceQueue<Object> DEAD = new ReferenceQueue<>();
  /** Keeps the references themselves reachable until they have done their work. */
  private static final Set<Reclaimer> PENDING = ConcurrentHashMap.newKeySet();

  private final long handle;
  private final LongConsumer free;

  private Reclaimer(Object proxy, long handle, LongConsumer free) {
    super(proxy, DEAD);
    this.handle = handle;
    this.free = free;
  }

  /** Calls {@code free} with the handle, once, after {@code proxy} has become unreachable. */
  static void watch(Object proxy, long handle, LongConsumer free) {
    for (Reference<?> dead = DEAD.poll(); dead != null; dead = DEAD.poll()) {
      Reclaimer reclaimer = (Reclaimer) dead;
      PENDING.remove(reclaimer);
      reclaimer.free.accept(reclaimer.handle);
    }
    PENDING.add(new Reclaimer(proxy, handle, free));
  }

  /** Returns the number of native objects that are not freed yet, for tests. */
  static int pending() {
    return PENDING.size();
  }
}
