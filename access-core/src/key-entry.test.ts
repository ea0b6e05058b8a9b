import { describe, expect, it } from 'vitest';
import { keyEntry } from './key-entry.ts';
import { defaultKeyEntryTimes, initialKeyEntry, type Key } from './key-entry-model.ts';
import { bench, keypadOf } from './key-entry.test-bench.ts';
import { monotonic } from './monotonic.ts';

describe('idle, or inside a code', () => {
  it('arms the rule whose code a key completes', () => {
    const door = bench({ codes: ['12', '#'] });
    expect(door.keys('12').look()).toEqual(['rule_armed']);
    expect(door.phase()).toBe('armed');
  });

  it('waits for more while a code is possible', () => {
    const door = bench({ codes: ['123'] }).keys('12');
    expect(door.phase()).toBe('code');
    expect(door.raw()).toEqual(['key_taken', 'key_taken']);
  });

  it('takes a first digit that begins no code as the first digit of a PIN for the default rule', () => {
    expect(
      bench({ codes: ['', '#1'], known: ['0042'] })
        .keys('0042')
        .look(),
    ).toEqual(['do: 0042 true']);
  });

  it('takes a first digit as the first digit of a PIN for the first gadget when there are no rules', () => {
    expect(
      bench({ known: ['0042'] })
        .keys('0042')
        .look(),
    ).toEqual(['first gadget: 0042 true']);
  });

  it('arms a code that begins with # or * beside a default rule, and the PIN follows', () => {
    const door = bench({ codes: ['', '#', '*7'], known: ['2580'] });
    expect(door.keys('#2580').look()).toEqual(['rule_armed', 'do#: 2580 true']);
    expect(door.keys('*72580').look()).toEqual(['rule_armed', 'do*7: 2580 true']);
  });

  it.each([
    ['a digit that begins no code, without a default rule', ['12'], '5'],
    ['a key that leads a half-typed code nowhere', ['123'], '124'],
    ['a digit inside a code beside a default rule', ['', '#12'], '#5'],
    ['* as the first key when there are no rules', [], '*'],
    ['# as the first key when there are no rules', [], '#'],
    ['# as the first key when no code begins with it', ['', '*1'], '#'],
  ])('drops all that was typed with feedback: %s', (_case, codes, keys) => {
    const door = bench({ codes });
    expect(door.keys(keys).look()).toEqual(['dropped']);
    expect(door.phase()).toBe('idle');
    expect(door.deadline()).toBeNull();
  });

  it('does not take the dropped key as a new start', () => {
    const door = bench({ codes: ['12', '34'] });
    expect(door.keys('13').look()).toEqual(['dropped']);
    expect(door.keys('4').look()).toEqual(['dropped']);
  });

  it('fires no PIN inside a code', () => {
    const door = bench({ codes: ['123456'], known: ['1234', '12345'] });
    expect(door.keys('12345').pass(3_000).timer().look()).toEqual([]);
    expect(door.phase()).toBe('code');
  });

  it('presents a card to the default rule when nothing is typed', () => {
    expect(
      bench({ codes: ['#', ''] })
        .tap('card')
        .look(),
    ).toEqual(['do: card']);
  });

  it('presents a card to the first gadget when there are no rules', () => {
    expect(bench({}).tap('card').look()).toEqual(['first gadget: card']);
  });

  it('denies a card when there are rules, but no default one', () => {
    expect(
      bench({ codes: ['12'] })
        .tap('card')
        .look(),
    ).toEqual(['no rule']);
  });

  it('denies a card and goes idle when a code is half typed, default rule or not', () => {
    for (const codes of [['#12'], ['', '#12']]) {
      const door = bench({ codes }).keys('#1').tap('card');
      expect(door.look()).toEqual(['no rule']);
      expect(door.phase()).toBe('idle');
    }
  });
});

describe('armed', () => {
  it('fires a known PIN at once when no other known PIN extends it', () => {
    expect(
      bench({ codes: ['1'], known: ['2580'] })
        .keys('12580')
        .look(),
    ).toEqual(['rule_armed', 'do1: 2580 true']);
  });

  it('keeps the leading zeros of a PIN', () => {
    expect(
      bench({ codes: ['00'], known: ['000042'] })
        .keys('00000042')
        .look(),
    ).toEqual(['rule_armed', 'do00: 000042 true']);
  });

  it('waits after a known PIN that another one extends, and fires the longer one', () => {
    const door = bench({ known: ['1234', '12345'] });
    expect(door.keys('1234').look()).toEqual([]);
    expect(door.keys('5').look()).toEqual(['first gadget: 12345 true']);
  });

  it('fires 20 digits, known or not', () => {
    expect(bench({}).keys('12345678901234567890').look()).toEqual(['first gadget: 12345678901234567890 false']);
  });

  it('fires on # after 4 digits or more', () => {
    expect(bench({}).keys('1234#').look()).toEqual(['first gadget: 1234 false']);
  });

  it('clears everything, the code included, on # after fewer than 4 digits', () => {
    const door = bench({ codes: ['12'], known: ['2580'] });
    expect(door.keys('12258#').look()).toEqual(['rule_armed', 'cleared']);
    expect(door.phase()).toBe('idle');
    expect(door.keys('2580').look()).toEqual(['dropped', 'dropped', 'dropped', 'dropped']);
    expect(door.wrong()).toBe(0);
  });

  it('clears on * even where * begins a code', () => {
    const door = bench({ codes: ['', '*1'] });
    expect(door.keys('12*').look()).toEqual(['cleared']);
    expect(door.phase()).toBe('idle');
  });

  it('presents a card to the armed rule and drops the digits', () => {
    const door = bench({ codes: ['', '#'] });
    expect(door.keys('#12').tap('card').look()).toEqual(['rule_armed', 'do#: card']);
    expect(door.tap('card').look()).toEqual(['do: card']);
    expect(door.wrong()).toBe(0);
  });

  it('fires a known PIN after 3 s without a key, not a millisecond earlier', () => {
    const door = bench({ known: ['1234', '12345'] }).keys('1234');
    expect(door.deadline()).toBe(4_000);
    expect(door.pass(2_999).timer().look()).toEqual([]);
    expect(door.pass(1).timer().look()).toEqual(['first gadget: 1234 true']);
  });

  it('starts the 3 s anew with each key', () => {
    const door = bench({ known: ['1234', '123456'] })
      .keys('123')
      .pass(2_500)
      .keys('4');
    expect(door.pass(2_999).timer().look()).toEqual([]);
    expect(door.pass(1).timer().look()).toEqual(['first gadget: 1234 true']);
  });

  it('does not fire digits that are no known PIN after 3 s', () => {
    const door = bench({ known: ['12345'] })
      .keys('1234')
      .pass(3_000)
      .timer();
    expect(door.look()).toEqual([]);
    expect(door.keys('5').look()).toEqual(['first gadget: 12345 true']);
  });
});

describe('time', () => {
  it.each([
    ['a half-typed code', ['123'], '12'],
    ['an armed rule', ['12'], '12'],
    ['a few digits', [], '12'],
  ])('forgets %s after 10 s without a key', (_case, codes, keys) => {
    const door = bench({ codes }).keys(keys);
    door.look();
    expect(door.pass(9_999).timer().look()).toEqual([]);
    expect(door.pass(1).timer().look()).toEqual(['forgotten']);
    expect(door.phase()).toBe('idle');
    expect(door.wrong()).toBe(0);
  });

  it('starts the 10 s anew with each key', () => {
    const door = bench({ codes: ['123'] })
      .keys('1')
      .pass(9_000)
      .keys('2')
      .pass(9_000)
      .keys('3');
    expect(door.look()).toEqual(['rule_armed']);
  });

  it('lets a timer go first when it is due at the millisecond of a key', () => {
    const door = bench({ known: ['1234', '12345'] })
      .keys('1234')
      .pass(3_000)
      .keys('5');
    expect(door.look()).toEqual(['first gadget: 1234 true']);
    expect(door.phase()).toBe('armed');
    expect(
      bench({ codes: ['12'] })
        .keys('1')
        .pass(10_000)
        .keys('2')
        .look(),
    ).toEqual(['forgotten', 'dropped']);
  });

  it('lets a timer go first when it is due at the millisecond of a tap', () => {
    expect(
      bench({ codes: ['', '#'] })
        .keys('#')
        .pass(10_000)
        .tap('card')
        .look(),
    ).toEqual(['rule_armed', 'forgotten', 'do: card']);
  });

  it('fires at 3 s, and does not forget at 10 s, when its owner comes minutes late', () => {
    const door = bench({ known: ['1234', '12345'] })
      .keys('1234')
      .pass(600_000)
      .timer();
    expect(door.look()).toEqual(['first gadget: 1234 true']);
    expect(door.wrong()).toBe(0);
  });

  it('counts a late wrong entry, and its lockout, from the moment it was due', () => {
    const door = bench({})
      .wrongEntries(4)
      .keys('9999')
      .pass(10_000 + 20_000)
      .timer();
    expect(door.look().at(-1)).toBe('locked 30000');
    expect(door.lockedFor()).toBe(10_000);
    expect(door.pass(10_000).keys('1').phase()).toBe('armed');
  });

  it('accepts a profile that forgets sooner than a known PIN fires', () => {
    const keypad = { ...keypadOf({ known: ['1234', '12345'] }), times: { ...defaultKeyEntryTimes, forget_ms: 1_000 } };
    let state = initialKeyEntry();
    for (const key of '1234') state = keyEntry(keypad, state, { type: 'key', key: key as Key }, monotonic(0)).state;
    const { effects } = keyEntry(keypad, state, { type: 'timer' }, monotonic(60_000));
    expect(effects).toEqual([{ type: 'feedback', kind: 'forgotten' }]);
  });
});
