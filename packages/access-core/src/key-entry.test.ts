import { describe, expect, it } from 'vitest';
import { stepKeyEntry } from './key-entry.ts';
import { defaultKeyEntryTimes, createInitialKeyEntryState, type KeypadKey } from './key-entry-types.ts';
import { simulateKeypad, createKeypadContext } from './keypad-simulation.test-support.ts';
import { monotonic } from './monotonic-time.ts';

describe('stepKeyEntry while idle or inside a code', () => {
  it('selects the rule whose code a key completes', () => {
    const door = simulateKeypad({ codes: ['12', '#'] });
    expect(door.keys('12').takeEffects()).toEqual(['rule_armed']);
    expect(door.phase()).toBe('armed');
  });

  it('waits for more keys while a code is possible', () => {
    const door = simulateKeypad({ codes: ['123'] }).keys('12');
    expect(door.phase()).toBe('code');
    expect(door.pendingEffects()).toEqual(['key_taken', 'key_taken']);
  });

  it('treats a first digit that begins no code as the start of a PIN for the default rule', () => {
    expect(
      simulateKeypad({ codes: ['', '#1'], known: ['0042'] })
        .keys('0042')
        .takeEffects(),
    ).toEqual(['do: 0042 true']);
  });

  it('treats a first digit as the start of a PIN for the first gadget when there are no rules', () => {
    expect(
      simulateKeypad({ known: ['0042'] })
        .keys('0042')
        .takeEffects(),
    ).toEqual(['first gadget: 0042 true']);
  });

  it('accepts codes that begin with # or * if there is a default rule, followed by the PIN', () => {
    const door = simulateKeypad({ codes: ['', '#', '*7'], known: ['2580'] });
    expect(door.keys('#2580').takeEffects()).toEqual(['rule_armed', 'do#: 2580 true']);
    expect(door.keys('*72580').takeEffects()).toEqual(['rule_armed', 'do*7: 2580 true']);
  });

  it.each([
    ['a digit that begins no code, without a default rule', ['12'], '5'],
    ['a key that leads a half-typed code nowhere', ['123'], '124'],
    ['a digit inside a code with a default rule', ['', '#12'], '#5'],
    ['* as the first key when there are no rules', [], '*'],
    ['# as the first key when there are no rules', [], '#'],
    ['# as the first key when no code begins with it', ['', '*1'], '#'],
  ])('discards the entry with feedback: %s', (_case, codes, keys) => {
    const door = simulateKeypad({ codes });
    expect(door.keys(keys).takeEffects()).toEqual(['dropped']);
    expect(door.phase()).toBe('idle');
    expect(door.deadline()).toBeNull();
  });

  it('does not treat the discarded key as a new start', () => {
    const door = simulateKeypad({ codes: ['12', '34'] });
    expect(door.keys('13').takeEffects()).toEqual(['dropped']);
    expect(door.keys('4').takeEffects()).toEqual(['dropped']);
  });

  it('presents no PIN inside a code', () => {
    const door = simulateKeypad({ codes: ['123456'], known: ['1234', '12345'] });
    expect(door.keys('12345').advance(3_000).timer().takeEffects()).toEqual([]);
    expect(door.phase()).toBe('code');
  });

  it('presents a card to the default rule when nothing is typed', () => {
    expect(
      simulateKeypad({ codes: ['#', ''] })
        .tap('card')
        .takeEffects(),
    ).toEqual(['do: card']);
  });

  it('presents a card to the first gadget when there are no rules', () => {
    expect(simulateKeypad({}).tap('card').takeEffects()).toEqual(['first gadget: card']);
  });

  it('denies a card when there are rules but no default rule', () => {
    expect(
      simulateKeypad({ codes: ['12'] })
        .tap('card')
        .takeEffects(),
    ).toEqual(['no rule']);
  });

  it('denies a card and returns to idle while a code is incomplete, with or without a default rule', () => {
    for (const codes of [['#12'], ['', '#12']]) {
      const door = simulateKeypad({ codes }).keys('#1').tap('card');
      expect(door.takeEffects()).toEqual(['no rule']);
      expect(door.phase()).toBe('idle');
    }
  });
});

describe('stepKeyEntry while waiting for a PIN', () => {
  it('presents a known PIN at once when no other known PIN extends it', () => {
    expect(
      simulateKeypad({ codes: ['1'], known: ['2580'] })
        .keys('12580')
        .takeEffects(),
    ).toEqual(['rule_armed', 'do1: 2580 true']);
  });

  it('keeps the leading zeros of a PIN', () => {
    expect(
      simulateKeypad({ codes: ['00'], known: ['000042'] })
        .keys('00000042')
        .takeEffects(),
    ).toEqual(['rule_armed', 'do00: 000042 true']);
  });

  it('waits after a known PIN that another one extends, and presents the longer one', () => {
    const door = simulateKeypad({ known: ['1234', '12345'] });
    expect(door.keys('1234').takeEffects()).toEqual([]);
    expect(door.keys('5').takeEffects()).toEqual(['first gadget: 12345 true']);
  });

  it('presents 20 digits, known or not', () => {
    expect(simulateKeypad({}).keys('12345678901234567890').takeEffects()).toEqual([
      'first gadget: 12345678901234567890 false',
    ]);
  });

  it('presents 4 or more digits on #', () => {
    expect(simulateKeypad({}).keys('1234#').takeEffects()).toEqual(['first gadget: 1234 false']);
  });

  it('clears the entry, including the code, on # after fewer than 4 digits', () => {
    const door = simulateKeypad({ codes: ['12'], known: ['2580'] });
    expect(door.keys('12258#').takeEffects()).toEqual(['rule_armed', 'cleared']);
    expect(door.phase()).toBe('idle');
    expect(door.keys('2580').takeEffects()).toEqual(['dropped', 'dropped', 'dropped', 'dropped']);
    expect(door.wrong()).toBe(0);
  });

  it('clears the entry on * even if * begins a code', () => {
    const door = simulateKeypad({ codes: ['', '*1'] });
    expect(door.keys('12*').takeEffects()).toEqual(['cleared']);
    expect(door.phase()).toBe('idle');
  });

  it('presents a card to the selected rule and discards the digits', () => {
    const door = simulateKeypad({ codes: ['', '#'] });
    expect(door.keys('#12').tap('card').takeEffects()).toEqual(['rule_armed', 'do#: card']);
    expect(door.tap('card').takeEffects()).toEqual(['do: card']);
    expect(door.wrong()).toBe(0);
  });

  it('presents a known PIN after exactly 3 s without a key', () => {
    const door = simulateKeypad({ known: ['1234', '12345'] }).keys('1234');
    expect(door.deadline()).toBe(4_000);
    expect(door.advance(2_999).timer().takeEffects()).toEqual([]);
    expect(door.advance(1).timer().takeEffects()).toEqual(['first gadget: 1234 true']);
  });

  it('restarts the 3 s with each key', () => {
    const door = simulateKeypad({ known: ['1234', '123456'] })
      .keys('123')
      .advance(2_500)
      .keys('4');
    expect(door.advance(2_999).timer().takeEffects()).toEqual([]);
    expect(door.advance(1).timer().takeEffects()).toEqual(['first gadget: 1234 true']);
  });

  it('does not present unknown digits after 3 s', () => {
    const door = simulateKeypad({ known: ['12345'] })
      .keys('1234')
      .advance(3_000)
      .timer();
    expect(door.takeEffects()).toEqual([]);
    expect(door.keys('5').takeEffects()).toEqual(['first gadget: 12345 true']);
  });
});

describe('stepKeyEntry timers', () => {
  it.each([
    ['a half-typed code', ['123'], '12'],
    ['an armed rule', ['12'], '12'],
    ['a few digits', [], '12'],
  ])('discard %s after 10 s without a key', (_case, codes, keys) => {
    const door = simulateKeypad({ codes }).keys(keys);
    door.takeEffects();
    expect(door.advance(9_999).timer().takeEffects()).toEqual([]);
    expect(door.advance(1).timer().takeEffects()).toEqual(['forgotten']);
    expect(door.phase()).toBe('idle');
    expect(door.wrong()).toBe(0);
  });

  it('restart the 10 s with each key', () => {
    const door = simulateKeypad({ codes: ['123'] })
      .keys('1')
      .advance(9_000)
      .keys('2')
      .advance(9_000)
      .keys('3');
    expect(door.takeEffects()).toEqual(['rule_armed']);
  });

  it('run before a key of the same millisecond', () => {
    const door = simulateKeypad({ known: ['1234', '12345'] })
      .keys('1234')
      .advance(3_000)
      .keys('5');
    expect(door.takeEffects()).toEqual(['first gadget: 1234 true']);
    expect(door.phase()).toBe('armed');
    expect(
      simulateKeypad({ codes: ['12'] })
        .keys('1')
        .advance(10_000)
        .keys('2')
        .takeEffects(),
    ).toEqual(['forgotten', 'dropped']);
  });

  it('run before a tap of the same millisecond', () => {
    expect(
      simulateKeypad({ codes: ['', '#'] })
        .keys('#')
        .advance(10_000)
        .tap('card')
        .takeEffects(),
    ).toEqual(['rule_armed', 'forgotten', 'do: card']);
  });

  it('present the PIN of 3 s rather than discard it at 10 s when they fire minutes late', () => {
    const door = simulateKeypad({ known: ['1234', '12345'] })
      .keys('1234')
      .advance(600_000)
      .timer();
    expect(door.takeEffects()).toEqual(['first gadget: 1234 true']);
    expect(door.wrong()).toBe(0);
  });

  it('count a late wrong entry, and its lockout, from the time it was due', () => {
    const door = simulateKeypad({})
      .wrongEntries(4)
      .keys('9999')
      .advance(10_000 + 20_000)
      .timer();
    expect(door.takeEffects().at(-1)).toBe('locked 30000');
    expect(door.lockedFor()).toBe(10_000);
    expect(door.advance(10_000).keys('1').phase()).toBe('armed');
  });

  it('support a profile that discards an entry before it presents a known PIN', () => {
    const keypad = {
      ...createKeypadContext({ known: ['1234', '12345'] }),
      times: { ...defaultKeyEntryTimes, forget_ms: 1_000 },
    };
    let state = createInitialKeyEntryState();
    for (const key of '1234')
      state = stepKeyEntry(keypad, state, { type: 'key', key: key as KeypadKey }, monotonic(0)).state;
    const { effects } = stepKeyEntry(keypad, state, { type: 'timer' }, monotonic(60_000));
    expect(effects).toEqual([{ type: 'feedback', kind: 'forgotten' }]);
  });
});

describe('stepKeyEntry with # after a PIN', () => {
  const open = () => simulateKeypad({ codes: ['', '#', '*1'], known: ['2580', '7777', '77771'], refused: ['3333'] });

  it.each([
    ['a PIN that opened at its last digit', () => open().keys('2580')],
    ['a known PIN that did not open', () => open().keys('3333')],
    ['a PIN that was presented after a pause', () => open().keys('7777').advance(3_000).timer()],
    ['a PIN that was submitted with #', () => open().keys('7777#')],
    ['a card that opened', () => open().tap('card').granted()],
  ])('ignores it for 2 s after %s', (_case, enter) => {
    const door = enter();
    door.takeEffects();
    expect(door.keys('#').advance(2_000).keys('##').takeEffects()).toEqual([]);
    expect(door.phase()).toBe('idle');
    expect(door.tap('card').takeEffects()).toEqual(['do: card']);
  });

  it('takes it afterwards, or after another key', () => {
    expect(open().keys('2580').advance(2_001).keys('#').phase()).toBe('armed');
    expect(open().keys('2580').tap('unknown').keys('#').phase()).toBe('armed');
  });

  it('takes it as the end of the next PIN', () => {
    const door = open().keys('2580').advance(100).keys('9999');
    door.takeEffects();
    expect(door.keys('#').takeEffects()).toEqual(['do: 9999 false']);
  });

  it('keeps an entry that began before another controller opened', () => {
    const door = open().keys('*12').granted();
    expect(door.phase()).toBe('armed');
    expect(door.keys('580').takeEffects()).toEqual(['rule_armed', 'do*1: 2580 true']);
  });
});
