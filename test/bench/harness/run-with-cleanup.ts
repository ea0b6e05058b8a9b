/** Registers what to delete or stop. */
type Defer = (cleanup: () => unknown) => void;

const signals = ['SIGINT', 'SIGTERM'] as const;
/** Of all running calls. */
const registered: Array<() => unknown> = [];
let depth = 0;
let isInterrupted = false;

const cleanUp = async (remaining: number): Promise<void> => {
  while (registered.length > remaining) await registered.pop()!();
};

const interrupt = (): void => {
  isInterrupted = true;
  void cleanUp(0).finally(() => process.exit(130));
};

/** Runs the registered functions after the work, last first: also if it fails, or is interrupted by a signal. */
export const withCleanup = async <T>(work: (defer: Defer) => Promise<T>): Promise<T> => {
  const before = registered.length;
  if (depth++ === 0) for (const signal of signals) process.once(signal, interrupt);
  try {
    return await work(cleanup => registered.push(cleanup));
  } finally {
    // The work fails because its database is gone. The process must not end with that before everything is deleted.
    if (isInterrupted) await new Promise(() => undefined);
    await cleanUp(before);
    if (--depth === 0) for (const signal of signals) process.off(signal, interrupt);
  }
};
