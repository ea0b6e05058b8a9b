import { after } from '@lintel/access-core/monotonic';
import type { Controller } from '../app/controller.ts';

/** What has to be known of a door to stop its controller without anybody noticing. */
export interface WatchedDoor {
  readonly controller: Pick<Controller, 'isResting'> & {
    readonly technician: Pick<Controller['technician'], 'live' | 'clock'>;
  };
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

/** Settles when no door moves or is open for somebody, nobody types, and nothing has happened for a while. */
export const quietMoment = ({ controller }: WatchedDoor, { quietMs, withinMs, signal }: QuietTerms): Promise<void> =>
  new Promise((resolve, reject) => {
    const { clock, live } = controller.technician;
    const begun = clock.now();
    let last = begun;
    let cancel = (): void => undefined;
    const unlisten = live.listen(() => {
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
      const isQuiet = controller.isResting() && (isOverdue || now - last >= quietMs);
      if (isQuiet || now - begun >= withinMs + OVERDUE_MS) return end(resolve);
      cancel = clock.wake(after(now, LOOK_MS), look);
    };
    signal.addEventListener('abort', giveUp);
    if (signal.aborted) giveUp();
    else look();
  });
