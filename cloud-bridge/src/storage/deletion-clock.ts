import { HOUR_MS } from '@lintel/access-core/durations';
import { type Instant, instant } from '@lintel/access-core/instant';
import type { Kysely } from 'kysely';
import type { Database } from './schema.ts';

/** What the clock of the machine and a clock that nobody sets showed at the same moment. */
export interface ClockReading {
  readonly wall: number;
  readonly monotonic: number;
}

const MAX_JUMP_MS = HOUR_MS;

const computeExpectedTime = ({ wall, monotonic }: ClockReading, now: ClockReading): number =>
  wall + Math.max(0, now.monotonic - monotonic);

/** By how much the wall clock is ahead of the expected time; 0 up to an hour. */
export const computeClockLead = (known: ClockReading, now: ClockReading): number => {
  const lead = now.wall - computeExpectedTime(known, now);
  return lead > MAX_JUMP_MS ? lead : 0;
};

/** From which later times are expected. A clock that was set back by more than an hour does not move it. */
const chooseReference = (known: ClockReading, now: ClockReading): ClockReading =>
  Math.abs(now.wall - computeExpectedTime(known, now)) > MAX_JUMP_MS ? known : now;

export interface DeletionClockSources {
  readonly clock: () => number;
  /** In milliseconds, with the time in suspend. */
  readonly monotonic: () => number;
}

/** Row of the bridge. The other rows have the id of an organization whose administrator has confirmed the time. */
const BRIDGE = 'bridge';

/**
 * The time for work that cannot be undone, such as deleting members and events. It follows the clock of the machine
 * unless that jumps ahead by more than an hour, also while the bridge was stopped. Then it continues from the last
 * known time, until the clock is right again or a person confirms it.
 */
export class DeletionClock {
  readonly #sources: DeletionClockSources;
  #bridge: ClockReading;
  readonly #organizations = new Map<string, ClockReading>();

  constructor(sources: DeletionClockSources) {
    this.#sources = sources;
    this.#bridge = this.#read();
  }

  #read(): ClockReading {
    return { wall: this.#sources.clock(), monotonic: this.#sources.monotonic() };
  }

  #update(): ClockReading {
    const reading = this.#read();
    this.#bridge = chooseReference(this.#bridge, reading);
    if (computeClockLead(this.#bridge, reading) === 0) this.#organizations.clear();
    for (const [id, known] of this.#organizations) this.#organizations.set(id, chooseReference(known, reading));
    return reading;
  }

  #referenceOf(organizationId: string | null): ClockReading {
    return this.#organizations.get(organizationId ?? '') ?? this.#bridge;
  }

  /** What was due before this time may be deleted. Null: of all organizations. */
  now(organizationId: string | null): Instant {
    const reading = this.#update();
    const reference = this.#referenceOf(organizationId);
    return instant(
      computeClockLead(reference, reading) === 0 ? reading.wall : Math.floor(computeExpectedTime(reference, reading)),
    );
  }

  /** The latest time for deletions of any organization. */
  latest(): Instant {
    return instant(Math.max(this.now(null), ...[...this.#organizations.keys()].map(id => this.now(id))));
  }

  /** By how much the clock of the machine is ahead of the time for deletions. */
  leadOf(organizationId: string | null): number {
    const reading = this.#update();
    return computeClockLead(this.#referenceOf(organizationId), reading);
  }

  /** At the start of the bridge, and then repeatedly, for what other bridges and commands have confirmed. */
  async load(db: Kysely<Database>): Promise<void> {
    const rows = await db.selectFrom('clock_readings').selectAll().execute();
    const reading = this.#update();
    for (const { name, at } of rows) {
      const known = this.#organizations.get(name) ?? null;
      const stored = { wall: at, monotonic: reading.monotonic };
      if (name === BRIDGE) {
        if (at > computeExpectedTime(this.#bridge, reading)) this.#bridge = stored;
      } else if (this.leadOf(null) > 0 && (known === null || at > computeExpectedTime(known, reading)))
        this.#organizations.set(name, stored);
    }
  }

  /** The time before this run, instead of the present time of the machine. */
  async start(db: Kysely<Database>): Promise<void> {
    const row = await db.selectFrom('clock_readings').select('at').where('name', '=', BRIDGE).executeTakeFirst();
    if (row !== undefined) this.#bridge = { wall: row.at, monotonic: this.#read().monotonic };
    await this.load(db);
  }

  /** Stores the expected times for the next start. */
  async store(db: Kysely<Database>): Promise<void> {
    await writeReading(db, BRIDGE, this.now(null));
    if (this.leadOf(null) === 0) await db.deleteFrom('clock_readings').where('name', '<>', BRIDGE).execute();
    for (const id of this.#organizations.keys()) await writeReading(db, id, this.now(id));
  }
}

const writeReading = async (db: Kysely<Database>, name: string, at: number): Promise<void> => {
  await db
    .insertInto('clock_readings')
    .values({ name, at })
    .onConflict(conflict => conflict.column('name').doUpdateSet({ at }).where('clock_readings.at', '<', at))
    .execute();
};

/** A person confirms that this time is right, for one organization or for all (null). */
export const confirmClock = async (db: Kysely<Database>, organizationId: string | null, at: number): Promise<void> => {
  const others = await db
    .selectFrom('organizations')
    .select('id')
    .where('is_deleted', '=', 0)
    .where('id', '<>', organizationId ?? '')
    .limit(1)
    .execute();
  await writeReading(db, organizationId === null || others.length === 0 ? BRIDGE : organizationId, at);
};
