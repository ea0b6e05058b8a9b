import { describe, expect, it } from 'vitest';
import { aController, aDoor } from '../simulator-state.test-support.ts';
import type { Orders } from './orders.ts';
import { Typist } from './typist.ts';

/** A keypad that writes down what arrives, after `phases` of waiting. */
const aKeypad = (phase: 'idle' | 'armed', isRefusing: (key: string) => boolean = () => false) => {
  const arrived: string[] = [];
  const orders = {
    keys: async (_: string, { keys }: { readonly keys: string }) => {
      // The first takes the longest: whoever does not wait for it comes in the wrong order.
      for (let turn = arrived.length; turn < 5; turn += 1) await Promise.resolve();
      if (isRefusing(keys)) return false;
      arrived.push(keys);
      return true;
    },
    tap: async (_: string, body: object) => {
      arrived.push(JSON.stringify(body));
      return true;
    },
  } as unknown as Orders;
  const [station] = aController().stations;
  const stationOf = () => ({ ...station!, entry: { phase, door: null } });
  return { arrived, typist: new Typist({ orders, stationOf, wait: () => Promise.resolve() }) };
};

const room = aDoor({ key: 'door-101', controller: 'corridor', code: '101' });

describe('Typist', () => {
  it('keeps the order of keys that are pressed faster than they are sent', async () => {
    const { arrived, typist } = aKeypad('idle');
    const place = { controller: 'front', station: 'main' };
    await Promise.all(Array.from('25801', key => typist.press({ ...place, key })));
    expect(arrived.join('')).toBe('25801');
  });

  it('types the code of the door before the PIN, and no hash after a decision', async () => {
    const { arrived, typist } = aKeypad('idle');
    await typist.typePin(room, '2580');
    expect(arrived.join('')).toBe('1012580');
  });

  it('ends a PIN with hash when the keypad still waits', async () => {
    const { arrived, typist } = aKeypad('armed');
    await typist.typePin(room, '9999');
    expect(arrived.join('')).toBe('1019999#');
  });

  it('stops at a rejected key', async () => {
    const { arrived, typist } = aKeypad('armed', key => key === '5');
    await typist.typePin(room, '2580');
    expect(arrived.join('')).toBe('1012');
  });

  it('taps a card after the code, and taps nothing after a rejected code', async () => {
    const kept = aKeypad('idle');
    await kept.typist.tap(room, 'ann', 'card');
    expect(kept.arrived).toEqual(['1', '0', '1', '{"person":"ann","with":"card","station":"main"}']);
    const refused = aKeypad('idle', () => true);
    await refused.typist.tap(room, 'ann', 'card');
    expect(refused.arrived).toEqual([]);
  });

  it('taps a phone without a code', async () => {
    const { arrived, typist } = aKeypad('idle');
    await typist.hold(room, 'bao', 'phone');
    expect(arrived).toEqual(['{"person":"bao","with":"phone","station":"main"}']);
  });

  it('notifies listeners of every key and tap until they unsubscribe', async () => {
    const { typist } = aKeypad('idle');
    const seen: (string | null)[] = [];
    const leave = typist.watch(({ key }) => seen.push(key));
    await typist.tap(room, 'ann', 'card');
    leave();
    await typist.typePin(room, '2580');
    expect(seen).toEqual(['1', '0', '1', null]);
  });
});
