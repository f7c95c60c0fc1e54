// Patience with a busy machine: tests wait until something comes about, and only what hangs reaches
// a limit.

export const HANG_MS = 60_000;

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits until `holds` comes true; fails the test if it never does. */
export async function eventually(holds) {
  for (const end = performance.now() + HANG_MS; !(await holds());) {
    if (performance.now() > end) throw new Error(`not within ${HANG_MS} ms: ${holds}`);
    await sleep(10);
  }
}
