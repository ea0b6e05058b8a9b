import { type Instant, instant } from './instant.ts';
import { failed, ok, problem, type Result } from './result.ts';
import { findStretches, wallClock } from './time-zone-transitions.ts';

/** An IANA zone as a table of offsets that grows where it is asked: a lookup costs nanoseconds, Intl microseconds. */
export interface Zone {
  readonly name: string;
  /** Milliseconds to add to UTC; NaN for what is no time. */
  offsetAt(now: Instant): number;
  /** The offset of `now` holds until then, or longer: what follows may have the same one. */
  offsetHoldsUntil(now: Instant): Instant;
}

const WEEK = 604_800_000;
/** 1970 began on a Thursday. */
const MONDAY_TO_EPOCH = 3 * 86_400_000;

/** About 13 months of whole seconds: filling one takes a fraction of a millisecond, so first use is no cliff. */
const BLOCK = 2 ** 25 * 1000;
/** The blocks of 1970 to 2106 lie in an array, which makes a lookup twice as quick as the map of all others. */
const NEAR_BLOCKS = 128;
/** What a Date can hold, less a block. */
const FARTHEST = 8.64e15 - BLOCK;

/** Ends and offsets in turn. A flat array of numbers spares the lookup two loads for each stretch. */
type Block = Float64Array;

/** No time lies in it: every comparison with NaN fails, so nothing is ever inside a schedule then. */
const NO_TIME: Block = Float64Array.of(Number.NaN, Number.NaN);

class TableZone implements Zone {
  readonly name: string;
  readonly #clock: Intl.DateTimeFormat;
  readonly #near: (Block | undefined)[] = Array.from({ length: NEAR_BLOCKS }, () => undefined);
  readonly #far = new Map<number, Block>();

  constructor(clock: Intl.DateTimeFormat) {
    this.name = clock.resolvedOptions().timeZone;
    this.#clock = clock;
  }

  offsetAt(now: Instant): number {
    const block = this.#blockAt(now);
    let index = 0;
    while (now >= block[index]!) index += 2;
    return block[index + 1]!;
  }

  offsetHoldsUntil(now: Instant): Instant {
    return instant(this.#blockAt(now).find((end, index) => index % 2 === 0 && now < end) ?? Number.NaN);
  }

  #blockAt(now: Instant): Block {
    const number = Math.floor(now / BLOCK);
    const known = number >= 0 && number < NEAR_BLOCKS ? this.#near[number] : this.#far.get(number);
    return known ?? this.#fill(number);
  }

  #fill(number: number): Block {
    if (!(Math.abs(number) * BLOCK <= FARTHEST)) return NO_TIME;
    const stretches = findStretches(this.#clock, number * BLOCK, (number + 1) * BLOCK);
    const block = Float64Array.from(stretches.flatMap(({ until, offset }) => [until, offset]));
    if (number >= 0 && number < NEAR_BLOCKS) this.#near[number] = block;
    else this.#far.set(number, block);
    return block;
  }
}

/** IANA names only: Intl would also take offsets such as `+01:00`. ASCII only, so that lower case is a safe key. */
const NAME = /^[A-Za-z][A-Za-z0-9_+\-/]{0,63}$/;

/** A zone's table is the same for everyone, so sites share it. At most one entry for each name that Intl knows. */
const zones = new Map<string, Zone>();

/** Upper and lower case and aliases as Intl takes them. */
export const zoneFor = (name: unknown, path = ''): Result<Zone> => {
  const unknown = (): Result<never> =>
    failed([problem(path, 'unknown_time_zone', 'must be an IANA time zone such as Europe/Madrid')]);
  if (typeof name !== 'string' || !NAME.test(name)) return unknown();
  const key = name.toLowerCase();
  const known = zones.get(key);
  if (known !== undefined) return ok(known);
  try {
    const zone = new TableZone(wallClock(name));
    zones.set(key, zone);
    return ok(zone);
  } catch {
    return unknown();
  }
};

/** Wall-clock time in the zone as second of the week: `weekday * 86400 + second of day`, Monday is 0. */
export const localTime = (zone: Zone, now: Instant): number => {
  const local = now + zone.offsetAt(now) + MONDAY_TO_EPOCH;
  return Math.floor((local - Math.floor(local / WEEK) * WEEK) / 1000);
};
