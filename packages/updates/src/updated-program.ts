import type { Wanted } from './release-files/download.ts';
import type { HealthNow } from './health.ts';
import type { QuietTerms } from './quiet-moment.ts';
import type { UpdateClock } from './update-clock.ts';

export type WayToBridge = Pick<Wanted, 'bridgeUrl'> & { readonly terms: Omit<Wanted['terms'], 'signal'> };

/** The program that is to make way for another version of itself, once it runs. */
export interface UpdatedProgram {
  readonly clock: UpdateClock;
  /** Null while there is none. */
  way(): WayToBridge | null;
  /** How long nothing may have happened before it stops. */
  readonly quietMs: number;
  /** Settles when nobody would notice that it stops. */
  quiet(terms: QuietTerms): Promise<void>;
  /** Of its faults only those that another version could be to blame for. */
  health(): Omit<HealthNow, 'isReady'> & { readonly isServing: boolean };
  note(what: 'updated' | 'update_rolled_back', words: string): void;
}
