import { setTimeout } from 'node:timers/promises';

const POLL_MS = 10;
const LIMIT_MS = 60_000;

/** Waits until the condition holds. For fixtures: `expect.poll` works neither in `beforeAll` nor in benchmarks. */
export const waitUntil = async (
  isTrue: () => boolean | Promise<boolean>,
  describe: () => string,
  withinMs = LIMIT_MS,
): Promise<void> => {
  const end = performance.now() + withinMs;
  while (!(await isTrue())) {
    if (performance.now() > end) throw new Error(`timed out after ${withinMs} ms waiting for ${describe()}`);
    await setTimeout(POLL_MS);
  }
};
