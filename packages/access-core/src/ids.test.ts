import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type IdKind, idPrefixes, createIdGenerator, parseIdKind, createId, parseId } from './ids.ts';
import { instant } from './instant.ts';

const kinds = Object.keys(idPrefixes) as IdKind[];
const anyKind = fc.constantFrom(...kinds);
const randomness = fc.uint8Array({ minLength: 10, maxLength: 10 });
const bytes = (value: number) => new Uint8Array(10).fill(value);
/** Decodes the suffix independently: one big number in base 32. */
const decode = (suffix: string): bigint =>
  Array.from(suffix, digit => BigInt('0123456789abcdefghjkmnpqrstvwxyz'.indexOf(digit))).reduce(
    (value, digit) => value * 32n + digit,
    0n,
  );

describe('createId', () => {
  it('returns the prefix and 26 lower-case characters that encode the time and the randomness', () => {
    fc.assert(
      fc.property(anyKind, fc.nat(2 ** 48 - 1), randomness, (kind, now, random) => {
        const id = createId(kind, instant(now), random);
        expect(id.startsWith(idPrefixes[kind])).toBe(true);
        const suffix = id.slice(idPrefixes[kind].length);
        expect(suffix).toMatch(/^[0-7][0-9a-hjkmnp-tv-z]{25}$/);
        const hex = Array.from(random, byte => byte.toString(16).padStart(2, '0')).join('');
        expect(decode(suffix)).toBe((BigInt(now) << 80n) | BigInt(`0x${hex}`));
      }),
    );
  });

  it('returns ids that sort by time', () => {
    const earlier = createId('event', instant(1_790_000_000_000), bytes(255));
    const later = createId('event', instant(1_790_000_000_001), bytes(0));
    expect(earlier < later).toBe(true);
  });

  it('works with a clock before 1970', () => {
    expect(createId('event', instant(-5), bytes(0))).toBe('evt_00000000000000000000000000');
  });

  it('requires ten random bytes and a valid time', () => {
    expect(() => createId('member', instant(0), new Uint8Array(9))).toThrow('10 random bytes');
    expect(() => createId('member', instant(Number.NaN), bytes(0))).toThrow('creation time');
  });
});

describe('createIdGenerator', () => {
  it('preserves the order of creation for any clock and randomness', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(3), randomness), { minLength: 2, maxLength: 50 }), steps => {
        let step = 0;
        const next = createIdGenerator(
          () => instant(1_790_000_000_000 + steps[step]![0]),
          () => steps[step]![1],
        );
        const ids = steps.map((_, index) => {
          step = index;
          return next('event');
        });
        expect(ids.every((id, index) => index === 0 || ids[index - 1]! < id)).toBe(true);
      }),
    );
  });

  it('continues in the next millisecond when the randomness of one is exhausted', () => {
    const next = createIdGenerator(
      () => instant(31),
      () => bytes(255),
    );
    expect(next('member').slice(4, 14)).toBe('000000000z');
    expect(next('member').slice(4, 14)).toBe('0000000010');
  });

  it('requests randomness for many ids at once and never reuses it', () => {
    let [asked, now, byte] = [0, 0, 0];
    const next = createIdGenerator(
      () => instant(now++),
      count => {
        asked++;
        return Uint8Array.from({ length: count }, () => byte++ % 256);
      },
    );
    const endings = new Set(Array.from({ length: 100 }, () => next('event').slice(-16)));
    expect(endings.size).toBe(100);
    expect(asked).toBeLessThan(5);
  });

  it('does not modify the bytes that it receives', () => {
    const handed = bytes(7);
    const next = createIdGenerator(
      () => instant(0),
      () => handed,
    );
    next('member');
    next('member');
    expect(handed).toEqual(bytes(7));
  });
});

describe('parseId', () => {
  it('accepts a generated id as its own kind only', () => {
    fc.assert(
      fc.property(anyKind, anyKind, randomness, (kind, other, random) => {
        const id = createId(kind, instant(1_790_000_000_000), random);
        expect(parseIdKind(id)).toBe(kind);
        expect(parseId(other, id).ok).toBe(other === kind);
      }),
    );
  });

  it('accepts opaque suffixes of 1 to 64 letters, digits, underscores and dashes', () => {
    expect(parseId('member', 'mem_A')).toEqual({ ok: true, value: 'mem_A' });
    expect(parseId('member', `mem_${'-_'.repeat(32)}`).ok).toBe(true);
    expect(parseId('member', `mem_${'x'.repeat(65)}`).ok).toBe(false);
    expect(parseId('member', 'mem_').ok).toBe(false);
  });

  it('distinguishes emails from members although their prefixes start alike', () => {
    expect(parseIdKind('me_mem_1')).toBe('member_email');
    expect(parseIdKind('mem_me_1')).toBe('member');
  });

  it.each([
    null,
    undefined,
    7,
    {},
    ['mem_1'],
    '',
    '_',
    'mem1',
    'MEM_1',
    ' mem_1',
    'mem_1\n',
    'mem_é',
    'mem_a b',
    'xyz_1',
    'constructor_1',
  ])('rejects %j and names the field', value => {
    expect(parseId('member', value, 'member_id')).toMatchObject({
      ok: false,
      problems: [{ path: 'member_id', code: 'invalid_id', message: expect.stringContaining('mem_') }],
    });
    expect(parseIdKind(value)).toBeNull();
  });

  it('has a different prefix for every kind', () => {
    expect(new Set(Object.values(idPrefixes)).size).toBe(kinds.length);
  });
});
