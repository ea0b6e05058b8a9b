import { after } from '@lintel/access-core/monotonic';
import type { Rules } from '@lintel/wire-protocol/mqtt/messages/rules';
import type { RulesChanged } from '@lintel/wire-protocol/mqtt/messages/rules-changed';
import type { MonotonicClock } from '../../ports/monotonic-clock.ts';
import type { Speaker } from './speaker.ts';

const ANSWER_MS = 30_000;
const LONGEST_WAIT_MS = 600_000;

/** Edits of the input rules that were made at the door and that the bridge has not answered yet. */
export interface PendingRules {
  pending(): RulesChanged | null;
  answered(rules: Rules): void;
  onPending(listener: () => void): void;
}

export interface RuleEditsParts {
  readonly rules: PendingRules;
  readonly speaker: Speaker;
  readonly clock: MonotonicClock;
}

/** Tells the bridge of an edit at the door until it answers. */
export class RuleEdits {
  readonly #parts: RuleEditsParts;
  #isOnline = false;
  #silences = 0;
  #cancel: () => void = () => undefined;

  constructor(parts: RuleEditsParts) {
    this.#parts = parts;
    parts.rules.onPending(() => this.#begin());
  }

  online(isOnline: boolean): void {
    this.#isOnline = isOnline;
    this.#begin();
  }

  #begin(): void {
    this.#silences = 0;
    this.#tell();
  }

  #tell(): void {
    const { rules, speaker, clock } = this.#parts;
    this.#cancel();
    // What is asked for here counts as said, and a later edit then waits behind it.
    const edit = this.#isOnline ? rules.pending() : null;
    if (edit === null) return;
    void speaker.say('rules-changed', edit);
    const wait = Math.min(LONGEST_WAIT_MS, ANSWER_MS * 2 ** this.#silences);
    this.#silences += 1;
    this.#cancel = clock.wake(after(clock.now(), wait), () => this.#tell());
  }

  answered(answer: Rules): void {
    this.#cancel();
    this.#parts.rules.answered(answer);
  }
}
