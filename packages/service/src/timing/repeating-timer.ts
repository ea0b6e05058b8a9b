import type { Log } from '../log-function-type.ts';

type ErrorHandler = (error: unknown) => void;

const warn: ErrorHandler = error => process.emitWarning(error instanceof Error ? error : String(error));

/** Reports errors of timers in the log of the program; without one, as a warning of the process. */
export const createTimerErrorLogger =
  (log?: Log): ErrorHandler =>
  error =>
    log === undefined
      ? warn(error)
      : log('error', 'A periodic task failed and will run again', { reason: String(error) });

/**
 * A function for timers that never throws. A failing system call, such as one that needs a file descriptor when all are in use, would
 * otherwise end the process. Of a series of equal errors only the first is reported.
 */
export const guardTimerWork = (work: () => unknown, onError: ErrorHandler = warn): (() => void) => {
  let reported: string | null = null;
  const fail = (error: unknown): void => {
    const text = String(error);
    if (text !== reported) onError(error);
    reported = text;
  };
  return () => {
    try {
      const result = work();
      if (result instanceof Promise) result.then(() => (reported = null), fail);
      else reported = null;
    } catch (error) {
      fail(error);
    }
  };
};

/** Repeats `work` until the returned function is called. Does not keep the process running. */
export const repeatEvery = (intervalMs: number, work: () => unknown, onError?: ErrorHandler): (() => void) => {
  const timer = setInterval(guardTimerWork(work, onError), intervalMs).unref();
  return () => clearInterval(timer);
};
