import { describe, expect, it } from 'vitest';
import { findRetiredWords } from './find-retired-words.ts';
import { retiredNames, retiredPhrases } from './retired-words.ts';

describe('findRetiredWords', () => {
  it('names the line and the replacement', () => {
    const text = "const ok = 1;\nthrow new Error('`x` is one word too many');\n";
    expect(findRetiredWords(text, retiredPhrases)).toEqual([
      { line: 2, text: "throw new Error('`x` is one word too many');", replacement: 'Unexpected argument: x' },
    ]);
  });

  it('accepts names that only contain a retired name', () => {
    expect(findRetiredWords('class LoudSpeakers {}', retiredNames)).toEqual([]);
    expect(findRetiredWords('new Speaker()', retiredNames)).toHaveLength(1);
  });

  it('finds errors that are not called Error', () => {
    expect(findRetiredWords('export class ClaimFailure extends Error {', retiredNames)).toHaveLength(1);
    expect(findRetiredWords('export class ClaimError extends Error {', retiredNames)).toEqual([]);
  });
});
