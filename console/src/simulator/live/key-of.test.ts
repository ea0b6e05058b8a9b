import { describe, expect, it } from 'vitest';
import { keyOf } from './key-of.ts';

const plain = { ctrlKey: false, metaKey: false, altKey: false };

describe('keyOf', () => {
  it('maps digits, star and hash to themselves, Enter to hash, Escape and Backspace to star', () => {
    expect(Array.from('0123456789*#', key => keyOf({ ...plain, key })).join('')).toBe('0123456789*#');
    expect(['Enter', 'Escape', 'Backspace'].map(key => keyOf({ ...plain, key }))).toEqual(['#', '*', '*']);
  });

  it('ignores all other keys and browser shortcuts', () => {
    expect(['a', 'Tab', 'F5', ' ', '', 'ArrowLeft', '٣'].map(key => keyOf({ ...plain, key }))).toEqual(
      Array.from({ length: 7 }, () => null),
    );
    for (const modifier of ['ctrlKey', 'metaKey', 'altKey']) {
      expect(keyOf({ ...plain, key: '1', [modifier]: true })).toBeNull();
    }
  });
});
