import { describe, expect, it } from 'vitest';
import { mapKeyboardKeyToKeypad } from './map-keyboard-key-to-keypad.ts';

const plain = { ctrlKey: false, metaKey: false, altKey: false };

describe('mapKeyboardKeyToKeypad', () => {
  it('maps digits, star and hash to themselves, Enter to hash, Escape and Backspace to star', () => {
    expect(Array.from('0123456789*#', key => mapKeyboardKeyToKeypad({ ...plain, key })).join('')).toBe('0123456789*#');
    expect(['Enter', 'Escape', 'Backspace'].map(key => mapKeyboardKeyToKeypad({ ...plain, key }))).toEqual([
      '#',
      '*',
      '*',
    ]);
  });

  it('ignores all other keys and browser shortcuts', () => {
    expect(['a', 'Tab', 'F5', ' ', '', 'ArrowLeft', '٣'].map(key => mapKeyboardKeyToKeypad({ ...plain, key }))).toEqual(
      Array.from({ length: 7 }, () => null),
    );
    for (const modifier of ['ctrlKey', 'metaKey', 'altKey']) {
      expect(mapKeyboardKeyToKeypad({ ...plain, key: '1', [modifier]: true })).toBeNull();
    }
  });
});
