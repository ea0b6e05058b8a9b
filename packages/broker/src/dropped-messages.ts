interface DroppedMessage {
  /** Null where nobody knows who said it. */
  readonly device_id: string | null;
  /** A kind of this protocol, or the topic of what is none. Whoever sends it chooses it. */
  readonly kind: string;
  /** One of the few kinds of reasons that there are. */
  readonly reason: string;
  /** What exactly was wrong; as long and as manifold as the sender likes. */
  readonly place?: string;
}

const LONGEST_SHOWN = 120;
const MOST_REASONS = 32;
const MOST_DEVICES = 10_000;

const escaped = (character: string): string => `\\u{${character.codePointAt(0)!.toString(16)}}`;

/** Text of a stranger as it may stand in a log: short, and without anything that moves a cursor or turns a line around. */
const shownText = (text: string): string => {
  const visible = text.slice(0, LONGEST_SHOWN + 1).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, escaped);
  return visible.length <= LONGEST_SHOWN ? visible : `${visible.slice(0, LONGEST_SHOWN - 1)}…`;
};

/**
 * Messages that were dropped, counted. Each kind of reason is told once of each device in a while, however often and under
 * however many names somebody repeats it: nothing that a sender chooses is kept.
 */
export class DroppedMessages {
  readonly #tell: (dropped: DroppedMessage) => void;
  readonly #told = new Map<string | null, Set<string>>();
  #count = 0;

  constructor(tell: (dropped: DroppedMessage) => void) {
    this.#tell = tell;
  }

  get count(): number {
    return this.#count;
  }

  add({ device_id, kind, reason, place }: DroppedMessage): void {
    this.#count++;
    if (!this.#isNews(device_id, reason)) return;
    this.#tell({
      device_id,
      kind: shownText(kind),
      reason,
      ...(place === undefined || place === '' ? {} : { place: shownText(place) }),
    });
  }

  #isNews(device: string | null, reason: string): boolean {
    const known = this.#told.get(device);
    if (known === undefined && this.#told.size >= MOST_DEVICES) return false;
    const reasons = known ?? new Set<string>();
    if (reasons.has(reason) || reasons.size >= MOST_REASONS) return false;
    this.#told.set(device, reasons.add(reason));
    return true;
  }

  /** From now on everything is news again. */
  forget(): void {
    this.#told.clear();
  }
}
