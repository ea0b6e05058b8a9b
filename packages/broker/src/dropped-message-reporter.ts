interface DroppedMessage {
  /** Null for an unknown sender. May be chosen by the sender. */
  readonly device_id: string | null;
  /** The message kind, or the topic of an unknown kind. Chosen by the sender. */
  readonly kind: string;
  /** One of a fixed set of texts. */
  readonly reason: string;
  /** Details about the error. May contain text from the sender. */
  readonly place?: string;
}

const MAX_TEXT_LENGTH = 120;
const MAX_REASONS = 32;
const MAX_DEVICES = 10_000;

const escaped = (character: string): string => `\\u{${character.codePointAt(0)!.toString(16)}}`;

/** Makes untrusted text safe for a log: shortens it and escapes control and bidirectional characters. */
const sanitizeText = (text: string): string => {
  const visible = text.slice(0, MAX_TEXT_LENGTH + 1).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, escaped);
  return visible.length <= MAX_TEXT_LENGTH ? visible : `${visible.slice(0, MAX_TEXT_LENGTH - 1)}…`;
};

/** Counts dropped messages, and reports each reason once per device until `resetReported`, so that a sender cannot flood the log. */
export class DroppedMessageReporter {
  readonly #report: (dropped: DroppedMessage) => void;
  readonly #reported = new Map<string | null, Set<string>>();
  #count = 0;

  constructor(report: (dropped: DroppedMessage) => void) {
    this.#report = report;
  }

  get count(): number {
    return this.#count;
  }

  add({ device_id, kind, reason, place }: DroppedMessage): void {
    this.#count++;
    if (!this.#isNew(device_id, reason)) return;
    this.#report({
      device_id: device_id === null ? null : sanitizeText(device_id),
      kind: sanitizeText(kind),
      reason,
      ...(place === undefined || place === '' ? {} : { place: sanitizeText(place) }),
    });
  }

  #isNew(device: string | null, reason: string): boolean {
    const known = this.#reported.get(device);
    if (known === undefined && this.#reported.size >= MAX_DEVICES) return false;
    const reasons = known ?? new Set<string>();
    if (reasons.has(reason) || reasons.size >= MAX_REASONS) return false;
    this.#reported.set(device, reasons.add(reason));
    return true;
  }

  resetReported(): void {
    this.#reported.clear();
  }
}
