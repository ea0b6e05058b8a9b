import type { RetiredWord } from './retired-words.ts';

export interface RetiredWordFinding {
  readonly line: number;
  readonly text: string;
  readonly replacement: string;
}

/** Every line of the text with a retired word, and what to write instead. */
export const findRetiredWords = (text: string, words: readonly RetiredWord[]): RetiredWordFinding[] =>
  text
    .split('\n')
    .flatMap((line, index) =>
      words
        .filter(({ pattern }) => pattern.test(line))
        .map(({ replacement }) => ({ line: index + 1, text: line.trim(), replacement })),
    );
