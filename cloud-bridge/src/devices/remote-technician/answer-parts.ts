import type { TechnicianAnswer } from '@lintel/wire-protocol/mqtt/messages/technician-answer';

/** A whole answer of a controller. */
export type FarAnswer = Pick<TechnicianAnswer, 'status' | 'headers' | 'body'>;

/** Puts an answer together from its parts, in whatever order and however often they come. */
export class AnswerParts {
  #of = 0;
  readonly #bodies = new Map<number, string>();

  /** Null until all of it is there. */
  take({ part, parts, status, headers, body }: TechnicianAnswer): FarAnswer | null {
    if (this.#of === 0) this.#of = parts;
    if (parts !== this.#of || part >= parts) return null;
    this.#bodies.set(part, body);
    if (this.#bodies.size < parts) return null;
    const whole = Array.from({ length: parts }, (_, index) => this.#bodies.get(index)!).join('');
    return { status, headers, body: whole };
  }
}
