import { expect, it } from 'vitest';
import { keyOf } from './key-of.ts';

const plain = { ctrlKey: false, metaKey: false, altKey: false };

it('takes digits, star and hash as they are, Enter as hash, Escape and Backspace as star', () => {
  expect(Array.from('0123456789*#', key => keyOf({ ...plain, key })).join('')).toBe('0123456789*#');
  expect(['Enter', 'Escape', 'Backspace'].map(key => keyOf({ ...plain, key }))).toEqual(['#', '*', '*']);
});

it('leaves every other key, and whatever is meant for the browser', () => {
  expect(['a', 'Tab', 'F5', ' ', '', 'ArrowLeft', '٣'].map(key => keyOf({ ...plain, key }))).toEqual(
    Array.from({ length: 7 }, () => null),
  );
  for (const modifier of ['ctrlKey', 'metaKey', 'altKey']) {
    expect(keyOf({ ...plain, key: '1', [modifier]: true })).toBeNull();
  }
});
