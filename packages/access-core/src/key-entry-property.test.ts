import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { GadgetId } from './ids.ts';
import { compileInputRules } from './input-rules-compiled.ts';
import { stepKeyEntry, nextKeyEntryDeadline } from './key-entry.ts';
import {
  simulateReferenceKeyEntry,
  type TimedKeypadInput,
  type ReferenceKeypadSetup,
} from './key-entry-reference.test-support.ts';
import {
  defaultKeyEntryTimes,
  createInitialKeyEntryState,
  type KeypadKey,
  type KeyEntryEffect,
  type KeyEntryInput,
  type KeyEntryState,
  type KeypadEntryContext,
  type PinCheckResult,
} from './key-entry-types.ts';
import { computeRemainingLockoutMs } from './lockout.ts';
import { monotonic } from './monotonic-time.ts';
import { iterations } from '@lintel/test/support/test-iterations-and-seed';

const keypadOf = ({ codes, granted, refused }: ReferenceKeypadSetup): KeypadEntryContext<PinCheckResult> => {
  const known = [...granted, ...refused];
  return {
    rules: compileInputRules(codes.map(code => ({ code, gadget_id: 'gad_1' as GadgetId, action_id: 'open' }))),
    times: defaultKeyEntryTimes,
    pins: { known: pin => known.includes(pin), extended: pin => known.some(p => p !== pin && p.startsWith(pin)) },
    checkPin: (_destination, pin) => ({ granted: granted.includes(pin) }),
  };
};

const tell = (effect: KeyEntryEffect<string, PinCheckResult>): string => {
  if (effect.type === 'feedback') return effect.kind;
  if (effect.type === 'deny') return effect.reason === 'locked_out' ? `locked ${effect.for_ms}` : 'no rule';
  const code = effect.destination.kind === 'rule' ? effect.destination.rule.code : '';
  return effect.type === 'present_pin' ? `pin ${code}: ${effect.pin}` : `card ${code}`;
};

const inputOf = (what: string): KeyEntryInput<string> => {
  if (what === 'tap') return { type: 'card', card: 'card' };
  if (what === 'granted') return { type: 'granted' };
  return what === 'refused' ? { type: 'refused_elsewhere' } : { type: 'key', key: what as KeypadKey };
};

/** `watch` receives every state. With `onTime` the timer fires at each deadline; otherwise only inputs arrive. */
const play = (
  world: ReferenceKeypadSetup,
  history: readonly TimedKeypadInput[],
  onTime: boolean,
  watch: (before: KeyEntryState, after: KeyEntryState, now: number) => void = () => undefined,
): { log: string[]; state: KeyEntryState } => {
  const keypad = keypadOf(world);
  const log: string[] = [];
  let state = createInitialKeyEntryState();
  const put = (input: KeyEntryInput<string>, at: number): void => {
    const step = stepKeyEntry(keypad, state, input, monotonic(at));
    watch(state, step.state, at);
    state = step.state;
    log.push(...step.effects.map(tell));
  };
  const serveDeadlines = (until: number): void => {
    for (let due = nextKeyEntryDeadline(state); due !== null && due <= until; due = nextKeyEntryDeadline(state)) {
      put({ type: 'timer' }, due);
    }
  };
  for (const { at, what } of history) {
    if (onTime) serveDeadlines(at);
    put(inputOf(what), at);
  }
  return { log, state };
};

const compatible = (codes: readonly string[]): string[] =>
  codes.reduce<string[]>((kept, code) => {
    const clashes = kept.some(
      other =>
        (code !== '' && other !== '' && (code.startsWith(other) || other.startsWith(code))) ||
        code === other ||
        (code === '' && /^[0-9]/.test(other)) ||
        (other === '' && /^[0-9]/.test(code)),
    );
    return clashes ? kept : [...kept, code];
  }, []);

const pool = ['1111', '11112', '111121', '2222', '0012', '00121', '1212', '12121212121212121212', '2121212'];
const worlds: fc.Arbitrary<ReferenceKeypadSetup> = fc.record({
  codes: fc
    .oneof(
      fc.array(fc.string({ unit: fc.constantFrom('1', '2', '#', '*'), maxLength: 3 }), { maxLength: 5 }),
      fc.constantFrom<string[][]>([], [''], ['', '#', '*1'], ['1', '22'], ['1111', '2#']),
    )
    .map(compatible),
  granted: fc.subarray(pool),
  refused: fc.subarray(['3333', '33331', '1112', '222']),
});

const gaps = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(0, 1, 200) },
  { weight: 3, arbitrary: fc.constantFrom(2_000, 2_001, 2_999, 3_000, 3_001, 9_999, 10_000, 10_001) },
  { weight: 2, arbitrary: fc.constantFrom(29_999, 30_000, 60_000, 120_000, 480_000) },
  { weight: 1, arbitrary: fc.constantFrom(899_999, 900_000, 900_001, 1_800_000, 3_600_000, 4_500_000) },
);
const keysOf = (text: string): string[] => Array.from(text);
const acts: fc.Arbitrary<string[]> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<string[]>('0', '1', '2', '3', '#', '*').map(key => [key]) },
  { weight: 2, arbitrary: fc.constantFrom(...pool, '3333').map(keysOf) },
  { weight: 3, arbitrary: fc.constantFrom('3000*', '3000#', '3000', '13000*').map(keysOf) },
  { weight: 1, arbitrary: fc.constant<string[]>(['tap']) },
  { weight: 1, arbitrary: fc.constant<string[]>([...keysOf('3000'), 'tap']) },
  { weight: 1, arbitrary: fc.constant<string[]>(['refused']) },
  { weight: 1, arbitrary: fc.constantFrom<string[]>(['granted'], ['granted', '#'], ['tap', 'granted', '#']) },
  { weight: 1, arbitrary: fc.constantFrom(...pool, '3333').map(pin => [...keysOf(pin), '#']) },
);
const histories: fc.Arbitrary<TimedKeypadInput[]> = fc
  .array(fc.tuple(gaps, acts), { maxLength: 40, size: 'max' })
  .map(parts => {
    let at = 1_000;
    return parts.flatMap(([gap, whats]) => {
      at += gap;
      return whats.map(what => ({ at, what }));
    });
  });

describe('stepKeyEntry on random histories with inputs around the deadlines', () => {
  it('agrees with the reference implementation, with punctual and with late timers', () => {
    fc.assert(
      fc.property(worlds, histories, fc.boolean(), (world, history, onTime) => {
        const { log, state } = play(world, history, onTime);
        const expected = simulateReferenceKeyEntry(world, history);
        expect(log).toEqual(expected.log);
        const now = history.at(-1)?.at ?? 0;
        expect(computeRemainingLockoutMs(state.lockout, monotonic(now))).toBe(Math.max(0, expected.lockedUntil - now));
      }),
      { numRuns: iterations({ sample: 400, all: 4_000 }) },
    );
  });

  it('presents only PINs of 4 to 20 digits, exactly as typed', () => {
    fc.assert(
      fc.property(worlds, histories, (world, history) => {
        const keys = history.map(({ what }) => what).filter(what => what.length === 1);
        const typed = keys.join('');
        const pins = play(world, history, true).log.filter(line => line.startsWith('pin'));
        for (const pin of pins.map(line => line.split(': ')[1] ?? '')) {
          expect(pin).toMatch(/^[0-9]{4,20}$/);
          expect(typed).toContain(pin);
        }
      }),
    );
  });

  it('never shortens a lockout', () => {
    fc.assert(
      fc.property(worlds, histories, (world, history) => {
        play(world, history, true, (before, after, now) => {
          const left = computeRemainingLockoutMs(before.lockout, monotonic(now));
          expect(computeRemainingLockoutMs(after.lockout, monotonic(now))).toBeGreaterThanOrEqual(left);
          expect(left === 0 || after.entry.phase === 'idle').toBe(true);
        });
      }),
    );
  });

  it('always sets its next deadline after the current input', () => {
    fc.assert(
      fc.property(worlds, histories, (world, history) => {
        play(world, history, false, (_before, state, now) => {
          const { entry } = state;
          const due = nextKeyEntryDeadline(state);
          expect(due === null).toBe(entry.phase === 'idle');
          expect(due ?? Infinity).toBeGreaterThan(now);
        });
      }),
    );
  });
});
