import type { UpdateClock } from './update-clock-interface.ts';

/** The activity of a program, to restart it without interrupting its users. */
export interface ProgramActivity {
  readonly clock: UpdateClock;
  /** No operation is in progress. */
  isIdle(): boolean;
  /** The returned function unsubscribes. */
  onActivity(listener: () => void): () => void;
}

export interface IdleWaitOptions {
  /** Required time without activity. */
  readonly quietMs: number;
  /** After this time `quietMs` no longer applies. A minute later the wait ends in any case. */
  readonly withinMs: number;
  readonly signal: AbortSignal;
}

const CHECK_MS = 250;
const OVERDUE_MS = 60_000;

/** Resolves when the program is idle and has had no activity for a while. */
export const waitUntilIdle = (source: ProgramActivity, { quietMs, withinMs, signal }: IdleWaitOptions): Promise<void> =>
  new Promise((resolve, reject) => {
    const { clock } = source;
    const startedAt = clock.now();
    let lastActivityAt = startedAt;
    let cancel = (): void => undefined;
    const unsubscribe = source.onActivity(() => {
      lastActivityAt = clock.now();
    });
    const end = (settle: () => void): void => {
      cancel();
      unsubscribe();
      signal.removeEventListener('abort', abort);
      settle();
    };
    const abort = (): void => end(() => reject(new Error('Aborted')));
    const check = (): void => {
      const now = clock.now();
      const isOverdue = now - startedAt >= withinMs;
      const isQuiet = source.isIdle() && (isOverdue || now - lastActivityAt >= quietMs);
      if (isQuiet || now - startedAt >= withinMs + OVERDUE_MS) return end(resolve);
      cancel = clock.after(CHECK_MS, check);
    };
    signal.addEventListener('abort', abort);
    if (signal.aborted) abort();
    else check();
  });
