// Known ids in tests: the default generator on a ManualClock.
import type { Layout, ManualClock } from './index.js';

export interface FrozenOptions {
  /** The node id; 0 by default. */
  worker?: number | bigint;
  /** That of the default generator, if there is one, else 'polyflake'. */
  layout?: string | Layout;
}

export interface Frozen {
  /** Moves only if it is set or advanced, or if a call has to wait. */
  readonly clock: ManualClock;
  /** Puts the default generator of before back. A second call does nothing. */
  close(): void;
  /** close(), for `using`, if the runtime has Symbol.dispose. */
  [Symbol.dispose](): void;
}

/**
 * Puts a generator on a ManualClock in place of the default one of this thread, until close(). So
 * nextId() gives the same ids in each run: they repeat ids of before, as those of any ManualClock.
 * @param time a Date, or Unix milliseconds
 * @throws PolyflakeError option_invalid, also until another frozen() of this thread is closed; as
 *   new Generator()
 */
export function frozen(time: Date | number | bigint, options?: FrozenOptions): Frozen;
