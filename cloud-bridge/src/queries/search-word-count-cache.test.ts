import { describe, expect, it } from 'vitest';
import { SearchWordCountCache } from './search-word-count-cache.ts';

describe('SearchWordCountCache', () => {
  it('forgets a number after 50 uses, and keeps no zero', () => {
    const counts = new SearchWordCountCache();
    counts.keep('guest', 7);
    counts.keep('nobody', 0);
    expect(Array.from({ length: 51 }, () => counts.take('guest')).indexOf(undefined)).toBe(50);
    expect(counts.take('nobody')).toBeUndefined();
  });

  it('keeps at most 1000 words, the newest', () => {
    const counts = new SearchWordCountCache();
    for (let word = 0; word <= 1000; word++) counts.keep(String(word), word + 1);
    expect([counts.take('0'), counts.take('1'), counts.take('1000')]).toEqual([undefined, 2, 1001]);
  });
});
