import type { UpdateClock } from './update-clock.ts';

/** What has to be known of a program to stop it without anybody noticing. */
export interface WatchedWork {
  readonly clock: UpdateClock;
  /** Nothing is in the middle of something. */
  isResting(): boolean;
  /** Is told whenever something happens; the answer ends that. */
  listen(happened: () => void): () => void;
}

export interface QuietTerms {
  /** Nothing may have happened for so long. */
  readonly quietMs: number;
  /** After so long it is done at the next moment in which nothing moves, and in any case a minute later. */
  readonly withinMs: number;
  readonly signal: AbortSignal;
}

const LOOK_MS = 250;
const OVERDUE_MS = 60_000;

/** Settles when nothing is in the middle of something, and nothing has happened for a while. */
export const quietMoment = (work: WatchedWork, { quietMs, withinMs, signal }: QuietTerms): Promise<void> =>
  new Promise((resolve, reject) => {
    const { clock } = work;
    const begun = clock.now();
    let last = begun;
    let cancel = (): void => undefined;
    const unlisten = work.listen(() => {
      last = clock.now();
    });
    const end = (settle: () => void): void => {
      cancel();
      unlisten();
      signal.removeEventListener('abort', giveUp);
      settle();
    };
    const giveUp = (): void => end(() => reject(new Error('no longer wanted')));
    const look = (): void => {
      const now = clock.now();
      const isOverdue = now - begun >= withinMs;
      const isQuiet = work.isResting() && (isOverdue || now - last >= quietMs);
      if (isQuiet || now - begun >= withinMs + OVERDUE_MS) return end(resolve);
      cancel = clock.after(LOOK_MS, look);
    };
    signal.addEventListener('abort', giveUp);
    if (signal.aborted) giveUp();
    else look();
  });
