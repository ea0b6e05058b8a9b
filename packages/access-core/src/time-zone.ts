import { type Instant, instant } from './instant.ts';
import { failed, ok, createProblem, type Result } from './result.ts';
import { listOffsetPeriods, createWallClockFormat } from './time-zone-offset-periods.ts';

/** An IANA time zone as a table of offsets, filled on demand: a lookup takes nanoseconds, Intl microseconds. */
export interface TimeZone {
  readonly name: string;
  /** Milliseconds to add to UTC; NaN for an invalid time. */
  offsetAt(now: Instant): number;
  /** The offset of `now` holds at least until then. */
  offsetHoldsUntil(now: Instant): Instant;
}

const WEEK = 604_800_000;
/** 1970 began on a Thursday. */
const MONDAY_TO_EPOCH = 3 * 86_400_000;

/**
 * About 13 months in whole seconds: filling a block takes a fraction of a millisecond, so the first use is not slow.
 */
const BLOCK = 2 ** 25 * 1000;
/** The blocks of 1970 to 2106 are in an array, which makes lookups twice as fast as the map of the others. */
const NEAR_BLOCKS = 128;
/** The range of Date, less one block. */
const FARTHEST = 8.64e15 - BLOCK;

/** Alternating ends and offsets. A flat array saves two loads per period. */
type Block = Float64Array;

/** For invalid times: every comparison with NaN fails, so no schedule ever matches. */
const NO_TIME: Block = Float64Array.of(Number.NaN, Number.NaN);

class TableZone implements TimeZone {
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
    const stretches = listOffsetPeriods(this.#clock, number * BLOCK, (number + 1) * BLOCK);
    const block = Float64Array.from(stretches.flatMap(({ until, offset }) => [until, offset]));
    if (number >= 0 && number < NEAR_BLOCKS) this.#near[number] = block;
    else this.#far.set(number, block);
    return block;
  }
}

/**
 * IANA names only, because Intl also accepts offsets such as `+01:00`. ASCII only, so that lower case is a safe key.
 */
const NAME = /^[A-Za-z][A-Za-z0-9_+\-/]{0,63}$/;

/** Sites share the table of a time zone. At most one entry per name known to Intl. */
const zones = new Map<string, TimeZone>();

/** Accepts any case and the aliases that Intl accepts. */
export const resolveTimeZone = (name: unknown, path = ''): Result<TimeZone> => {
  const unknown = (): Result<never> =>
    failed([createProblem(path, 'unknown_time_zone', 'must be an IANA time zone such as Europe/Madrid')]);
  if (typeof name !== 'string' || !NAME.test(name)) return unknown();
  const key = name.toLowerCase();
  const known = zones.get(key);
  if (known !== undefined) return ok(known);
  try {
    const zone = new TableZone(createWallClockFormat(name));
    zones.set(key, zone);
    return ok(zone);
  } catch {
    return unknown();
  }
};

/** Local wall-clock time as second of the week: `weekday * 86400 + second of day`, with Monday as 0. */
export const computeLocalSecondOfWeek = (zone: TimeZone, now: Instant): number => {
  const local = now + zone.offsetAt(now) + MONDAY_TO_EPOCH;
  return Math.floor((local - Math.floor(local / WEEK) * WEEK) / 1000);
};
