const START = 0xa0;
const LENGTH = 4;

const operations = { off: 0, on: 1, off_answered: 2, on_answered: 3, ask: 5 } as const;

export type LcusOperation = keyof typeof operations;

const sum = (channel: number, operation: number): number => (START + channel + operation) & 0xff;

/** `A0 channel operation sum`. */
export const encodeLcusFrame = (channel: number, operation: LcusOperation): Uint8Array =>
  Uint8Array.of(START, channel, operations[operation], sum(channel, operations[operation]));

export interface LcusResponse {
  readonly channel: number;
  readonly on: boolean;
}

/** Extracts the responses of a board from received bytes; skips other bytes. */
export class LcusResponseParser {
  #kept: readonly number[] = [];

  take(bytes: Uint8Array): readonly LcusResponse[] {
    const answers: LcusResponse[] = [];
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
