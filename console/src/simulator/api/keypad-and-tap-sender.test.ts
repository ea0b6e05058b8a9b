import { describe, expect, it } from 'vitest';
import { createTestController, createTestDoor } from '../simulator-state.test-support.ts';
import type { SimulatorCommands } from './simulator-commands.ts';
import { KeypadAndTapSender } from './keypad-and-tap-sender.ts';
import { mapKeyboardKeyToKeypad } from './map-keyboard-key-to-keypad.ts';

/** A keypad that records the received keys. */
const createKeypad = (phase: 'idle' | 'armed', isRejected: (key: string) => boolean = () => false) => {
  const received: string[] = [];
  const commands = {
    keys: async (_: string, { keys }: { readonly keys: string }) => {
      // The first key takes longest, so that an unordered second key would overtake it.
      for (let turn = received.length; turn < 5; turn += 1) await Promise.resolve();
      if (isRejected(keys)) return false;
      received.push(keys);
      return true;
    },
    tap: async (_: string, body: object) => {
      received.push(JSON.stringify(body));
      return true;
    },
  } as unknown as SimulatorCommands;
  const [station] = createTestController().stations;
  const stationOf = () => ({ ...station!, entry: { phase, door: null } });
  return { received, keypadInput: new KeypadAndTapSender({ commands, stationOf, wait: () => Promise.resolve() }) };
};

const room = createTestDoor({ key: 'door-101', controller: 'corridor', code: '101' });

describe('KeypadAndTapSender', () => {
  it('keeps the send of keys that are pressed faster than they are sent', async () => {
    const { received, keypadInput } = createKeypad('idle');
    const reader = { controller: 'front', station: 'main' };
    await Promise.all(Array.from('25801', key => keypadInput.press({ ...reader, key })));
    expect(received.join('')).toBe('25801');
  });

  it('types the code of the door before the PIN, and no hash after a decision', async () => {
    const { received, keypadInput } = createKeypad('idle');
    await keypadInput.typePin(room, '2580');
    expect(received.join('')).toBe('1012580');
  });

  it('ends a PIN with hash when the keypad still waits', async () => {
    const { received, keypadInput } = createKeypad('armed');
    await keypadInput.typePin(room, '9999');
    expect(received.join('')).toBe('1019999#');
  });

  it('stops at a rejected key', async () => {
    const { received, keypadInput } = createKeypad('armed', key => key === '5');
    await keypadInput.typePin(room, '2580');
    expect(received.join('')).toBe('1012');
  });

  it('taps a card after the code, and taps nothing after a rejected code', async () => {
    const accepting = createKeypad('idle');
    await accepting.keypadInput.typeCodeAndTap(room, 'ann', 'card');
    expect(accepting.received).toEqual(['1', '0', '1', '{"person":"ann","with":"card","station":"main"}']);
    const rejecting = createKeypad('idle', () => true);
    await rejecting.keypadInput.typeCodeAndTap(room, 'ann', 'card');
    expect(rejecting.received).toEqual([]);
  });

  it('taps a phone without a code', async () => {
    const { received, keypadInput } = createKeypad('idle');
    await keypadInput.tap(room, 'bao', 'phone');
    expect(received).toEqual(['{"person":"bao","with":"phone","station":"main"}']);
  });

  it('notifies listeners of every key and tap until they unsubscribe', async () => {
    const { keypadInput } = createKeypad('idle');
    const seen: (string | null)[] = [];
    const unsubscribe = keypadInput.subscribe(({ key }) => seen.push(key));
    await keypadInput.typeCodeAndTap(room, 'ann', 'card');
    unsubscribe();
    await keypadInput.typePin(room, '2580');
    expect(seen).toEqual(['1', '0', '1', null]);
  });
});

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
