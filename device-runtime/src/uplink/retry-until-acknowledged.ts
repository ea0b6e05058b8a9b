import { after } from '@lintel/access-core/monotonic';
import type { Message } from '@lintel/wire-protocol/mqtt/message-table';
import type { UpKind } from '@lintel/wire-protocol/mqtt/topics';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { Speaker } from './uplink-publisher.ts';

const ANSWER_MS = 30_000;
const LONGEST_WAIT_MS = 600_000;

/** Something that was done at the door and that the bridge has not answered yet. */
export interface Unanswered<K extends UpKind, Answer> {
  pending(): Message<K> | null;
  answered(answer: Answer): void;
  onPending(listener: () => void): void;
}

export interface RetellingParts {
  readonly speaker: Speaker;
  readonly clock: MonotonicClock;
}

/** Tells the bridge of it until it answers. */
export class Retelling<K extends UpKind, Answer> {
  readonly #kind: K;
  readonly #matter: Unanswered<K, Answer>;
  readonly #parts: RetellingParts;
  #isOnline = false;
  #silences = 0;
  #cancel: () => void = () => undefined;

  constructor(kind: K, matter: Unanswered<K, Answer>, parts: RetellingParts) {
    this.#kind = kind;
    this.#matter = matter;
    this.#parts = parts;
    matter.onPending(() => this.#begin());
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
    const { speaker, clock } = this.#parts;
    this.#cancel();
    // What is asked for here counts as said, and a later one then waits behind it.
    const untold = this.#isOnline ? this.#matter.pending() : null;
    if (untold === null) return;
    void speaker.say(this.#kind, untold);
    const wait = Math.min(LONGEST_WAIT_MS, ANSWER_MS * 2 ** this.#silences);
    this.#silences += 1;
    this.#cancel = clock.wake(after(clock.now(), wait), () => this.#tell());
  }

  answered(answer: Answer): void {
    this.#cancel();
    this.#matter.answered(answer);
  }
}
