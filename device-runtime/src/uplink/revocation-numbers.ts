import { acceptNumber, freshWindow, type ReplayWindow, replayWindow } from '@lintel/wire-protocol/mqtt/replay-window';
import * as z from 'zod';
import type { StateStore } from '../state/state-store.ts';

const saved = z.object({ organization_id: z.string(), window: replayWindow });

/**
 * Which of the organization's revocations have come. They are numbered without a gap, so a number that is missing was
 * kept from this controller. When what is remembered here is older than the truth, one question too many is asked.
 */
export class RevocationNumbers {
  readonly #state: StateStore;
  #organization = '';
  #window: ReplayWindow = freshWindow;

  constructor(state: StateStore) {
    this.#state = state;
    const kept = saved.safeParse(state.read('revoke_window')).data;
    if (kept === undefined) return;
    this.#organization = kept.organization_id;
    this.#window = kept.window;
  }

  of(organizationId: string): this {
    if (organizationId !== this.#organization) [this.#organization, this.#window] = [organizationId, freshWindow];
    return this;
  }

  get highest(): number {
    return this.#window.highest;
  }

  take(number: number): void {
    this.#window = acceptNumber(this.#window, number) ?? this.#window;
  }

  /** A slice is served that contains all up to this one. */
  settledUpTo(number: number): void {
    const { highest, missing } = this.#window;
    this.#window = { highest: Math.max(highest, number), missing: missing.filter(one => one > number) };
  }

  /** The bridge itself counts from here now: its database is an older copy. */
  beginAgainAt(number: number): void {
    this.#window = { highest: number, missing: [] };
  }

  /** Some have not come of those up to this one. */
  isLackingUpTo(number: number): boolean {
    const { highest, missing } = this.#window;
    return highest < number || missing.some(one => one <= number);
  }

  save(): void {
    this.#state.write('revoke_window', { organization_id: this.#organization, window: this.#window });
  }
}
