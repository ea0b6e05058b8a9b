import { describe, expect, it } from 'vitest';
import { simulateKeypad } from './keypad-simulation.test-support.ts';

type SimulatedKeypad = ReturnType<typeof simulateKeypad>;

describe('wrong entry', () => {
  it.each([
    ['an unknown PIN submitted with #', (door: SimulatedKeypad) => door.keys('9999#')],
    ['a known PIN that is not granted', (door: SimulatedKeypad) => door.keys('5555')],
    ['4 digits and *', (door: SimulatedKeypad) => door.keys('9999*')],
    ['4 digits and a timeout', (door: SimulatedKeypad) => door.keys('9999').advance(10_000).timer()],
    ['4 digits and a tap', (door: SimulatedKeypad) => door.keys('9999').tap('good card')],
    ['a known PIN followed by *', (door: SimulatedKeypad) => door.keys('1234*')],
    ['a denial by the controller that owns the gadget', (door: SimulatedKeypad) => door.refusedElsewhere()],
  ])('is counted: %s', (_case, act) => {
    const door = simulateKeypad({ known: ['1234', '12345'], refused: ['5555'] });
    act(door);
    expect(door.wrong()).toBe(1);
  });

  it('is not counted with fewer than 4 digits', () => {
    const door = simulateKeypad({ codes: ['', '#1234'] });
    door.keys('999*').keys('999#').keys('999').tap('card').keys('999').advance(10_000).timer().keys('#123').tap('card');
    door.keys('#123').advance(10_000).timer().keys('#1239').keys('#1234*');
    expect(door.wrong()).toBe(0);
  });

  it('is not counted when the PIN is granted', () => {
    expect(
      simulateKeypad({ known: ['2580'] })
        .keys('2580')
        .wrong(),
    ).toBe(0);
  });

  it('count is not reset by a grant', () => {
    const door = simulateKeypad({ known: ['2580'] })
      .wrongEntries(4)
      .keys('2580')
      .wrongEntries(1);
    expect(door.takeEffects().at(-1)).toBe('locked 30000');
  });
});

describe('lockout', () => {
  it('reports one denial at the fifth wrong entry, after the PIN that caused it', () => {
    expect(simulateKeypad({}).wrongEntries(4).keys('9999#').takeEffects().slice(-2)).toEqual([
      'first gadget: 9999 false',
      'locked 30000',
    ]);
  });

  it('answers keys with feedback only and stores nothing', () => {
    const door = simulateKeypad({ known: ['2580'] }).wrongEntries(5);
    door.takeEffects();
    expect(door.keys('258').takeEffects()).toEqual(['locked_out', 'locked_out', 'locked_out']);
    expect(door.advance(30_000).keys('0').phase()).toBe('armed');
    expect(door.keys('580').takeEffects()).toEqual([]);
  });

  it('ends before a key pressed in its last millisecond', () => {
    const door = simulateKeypad({ known: ['2580'] })
      .wrongEntries(5)
      .advance(29_999);
    door.takeEffects();
    expect(door.keys('2').takeEffects()).toEqual(['locked_out']);
    expect(door.advance(1).keys('2580').takeEffects()).toEqual(['first gadget: 2580 true']);
  });

  it('still accepts cards', () => {
    expect(
      simulateKeypad({ codes: ['', '#'] })
        .wrongEntries(5)
        .keys('#')
        .tap('card')
        .takeEffects()
        .at(-1),
    ).toBe('do: card');
    expect(
      simulateKeypad({ codes: ['1'] })
        .keys('19999*19999*19999*19999*19999*')
        .keys('1')
        .tap('card')
        .takeEffects()
        .at(-1),
    ).toBe('no rule');
  });

  it('presents the card whose tap was the fifth wrong entry', () => {
    expect(simulateKeypad({}).wrongEntries(4).keys('9999').tap('card').takeEffects().slice(-2)).toEqual([
      'first gadget: card',
      'locked 30000',
    ]);
  });

  it('discards a partial entry when a denial elsewhere starts the lockout', () => {
    const door = simulateKeypad({}).wrongEntries(4).keys('12345').refusedElsewhere();
    expect(door.phase()).toBe('idle');
    expect(door.wrong()).toBe(5);
  });

  it('doubles with each further wrong entry, up to 15 minutes', () => {
    const door = simulateKeypad({});
    door.wrongEntries(4).takeEffects();
    const locks = Array.from({ length: 8 }, () => {
      const lock = door.wrongEntries(1).takeEffects().at(-1);
      door.advance(door.lockedFor());
      return lock;
    });
    expect(locks).toEqual([30, 60, 120, 240, 480, 900, 900, 900].map(seconds => `locked ${seconds}000`));
  });
});
