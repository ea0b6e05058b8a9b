import { describe, expect, it } from 'vitest';
import { bench } from './key-entry.test-bench.ts';

type Bench = ReturnType<typeof bench>;

describe('a wrong entry', () => {
  it.each([
    ['a fired PIN that is not granted', (door: Bench) => door.keys('9999#')],
    ['a known PIN that is not granted', (door: Bench) => door.keys('5555')],
    ['4 digits and *', (door: Bench) => door.keys('9999*')],
    ['4 digits forgotten', (door: Bench) => door.keys('9999').pass(10_000).timer()],
    ['4 digits and a tap', (door: Bench) => door.keys('9999').tap('good card')],
    ['a known PIN taken back', (door: Bench) => door.keys('1234*')],
    ['a refusal by the controller that owns the gadget', (door: Bench) => door.refusedElsewhere()],
  ])('is %s', (_case, act) => {
    const door = bench({ known: ['1234', '12345'], refused: ['5555'] });
    act(door);
    expect(door.wrong()).toBe(1);
  });

  it('is none with fewer than 4 digits, however it ends', () => {
    const door = bench({ codes: ['', '#1234'] });
    door.keys('999*').keys('999#').keys('999').tap('card').keys('999').pass(10_000).timer().keys('#123').tap('card');
    door.keys('#123').pass(10_000).timer().keys('#1239').keys('#1234*');
    expect(door.wrong()).toBe(0);
  });

  it('is none when the PIN is granted', () => {
    expect(
      bench({ known: ['2580'] })
        .keys('2580')
        .wrong(),
    ).toBe(0);
  });

  it('is not undone by a grant', () => {
    const door = bench({ known: ['2580'] })
      .wrongEntries(4)
      .keys('2580')
      .wrongEntries(1);
    expect(door.look().at(-1)).toBe('locked 30000');
  });
});

describe('locked out', () => {
  it('denies once at the fifth wrong entry, after the PIN that caused it', () => {
    expect(bench({}).wrongEntries(4).keys('9999#').look().slice(-2)).toEqual([
      'first gadget: 9999 false',
      'locked 30000',
    ]);
  });

  it('answers keys with feedback only and keeps nothing', () => {
    const door = bench({ known: ['2580'] }).wrongEntries(5);
    door.look();
    expect(door.keys('258').look()).toEqual(['locked_out', 'locked_out', 'locked_out']);
    expect(door.pass(30_000).keys('0').phase()).toBe('armed');
    expect(door.keys('580').look()).toEqual([]);
  });

  it('ends at its last millisecond, before a key of that millisecond', () => {
    const door = bench({ known: ['2580'] })
      .wrongEntries(5)
      .pass(29_999);
    door.look();
    expect(door.keys('2').look()).toEqual(['locked_out']);
    expect(door.pass(1).keys('2580').look()).toEqual(['first gadget: 2580 true']);
  });

  it('lets cards work as with nothing typed', () => {
    expect(
      bench({ codes: ['', '#'] })
        .wrongEntries(5)
        .keys('#')
        .tap('card')
        .look()
        .at(-1),
    ).toBe('do: card');
    expect(
      bench({ codes: ['1'] })
        .keys('19999*19999*19999*19999*19999*')
        .keys('1')
        .tap('card')
        .look()
        .at(-1),
    ).toBe('no rule');
  });

  it('presents the card whose tap was the fifth wrong entry', () => {
    expect(bench({}).wrongEntries(4).keys('9999').tap('card').look().slice(-2)).toEqual([
      'first gadget: card',
      'locked 30000',
    ]);
  });

  it('drops what is typed when a refusal from elsewhere locks', () => {
    const door = bench({}).wrongEntries(4).keys('12345').refusedElsewhere();
    expect(door.phase()).toBe('idle');
    expect(door.wrong()).toBe(5);
  });

  it('lasts twice as long with each further wrong entry, 15 minutes at most', () => {
    const door = bench({});
    door.wrongEntries(4).look();
    const locks = Array.from({ length: 8 }, () => {
      const lock = door.wrongEntries(1).look().at(-1);
      door.pass(door.lockedFor());
      return lock;
    });
    expect(locks).toEqual([30, 60, 120, 240, 480, 900, 900, 900].map(seconds => `locked ${seconds}000`));
  });
});
