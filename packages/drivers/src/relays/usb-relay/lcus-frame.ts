const START = 0xa0;
const LENGTH = 4;

const operations = { off: 0, on: 1, off_answered: 2, on_answered: 3, ask: 5 } as const;

export type LcusOperation = keyof typeof operations;

const sum = (channel: number, operation: number): number => (START + channel + operation) & 0xff;

/** `A0 channel operation sum`. */
export const lcusFrame = (channel: number, operation: LcusOperation): Uint8Array =>
  Uint8Array.of(START, channel, operations[operation], sum(channel, operations[operation]));

export interface LcusAnswer {
  readonly channel: number;
  readonly on: boolean;
}

/** Finds the answers of a board among the bytes that come; what is none is passed over. */
export class LcusAnswers {
  #kept: readonly number[] = [];

  take(bytes: Uint8Array): readonly LcusAnswer[] {
    const answers: LcusAnswer[] = [];
    const all = [...this.#kept, ...bytes];
    let at = 0;
    while (at + LENGTH <= all.length) {
      const [start, channel, state, check] = all.slice(at, at + LENGTH) as [number, number, number, number];
      const isAnswer = start === START && channel > 0 && state <= 1 && check === sum(channel, state);
      if (isAnswer) answers.push({ channel, on: state === 1 });
      at += isAnswer ? LENGTH : 1;
    }
    this.#kept = all.slice(at);
    return answers;
  }
}
