import type { Instant } from '@lintel/access-core/instant';
import { milliseconds } from '@lintel/wire-protocol/mqtt/message-fields';
import { dateTimeOf } from '@lintel/wire-protocol/schema-parts/date-time';
import { type TestEntry, type TestJudgement, testResults } from '@lintel/wire-protocol/technician/tests';
import * as z from 'zod';
import type { Technician } from '../events/technician-record.ts';
import type { StateStore } from '../state/state-store.ts';
import type { WallClock } from '../clock/wall-clock.ts';

const MOST_TESTS = 500;

const keptSight = z.object({ at: milliseconds, ok: z.boolean(), what: z.string() });
const keptEntry = z.object({
  id: z.string(),
  result: z.enum(testResults).nullable(),
  note: z.string().nullable(),
  at: milliseconds,
  time_trusted: z.boolean(),
  user_id: z.string().nullable(),
  pass_id: z.string().nullable(),
  is_remote: z.boolean(),
  seen: keptSight.nullable(),
});
type KeptEntry = z.infer<typeof keptEntry>;

const keptFile = z.object({ organization_id: z.string().nullable(), tests: z.array(keptEntry).max(MOST_TESTS) });

/** What the controller itself saw of a trial. */
export interface Sight {
  readonly ok: boolean;
  readonly what: string;
}

interface TestLogParts {
  readonly state: StateStore;
  readonly wall: Pick<WallClock, 'now' | 'trusted'>;
  /** Whose controller it is; null until it is claimed. */
  readonly organization: () => string | null;
}

const answerOf = ({ user_id, pass_id, at, seen, ...entry }: KeptEntry): TestEntry => ({
  ...entry,
  at: dateTimeOf(at),
  by: { user_id: user_id as TestEntry['by']['user_id'], pass_id },
  seen: seen === null ? null : { ...seen, at: dateTimeOf(seen.at) },
});

/** What was tried at this controller, the newest of each thing. It outlives a restart, but not another owner. */
export class TestLog {
  readonly #parts: TestLogParts;
  /** The oldest first. */
  readonly #tests = new Map<string, KeptEntry>();
  #organization: string | null;

  constructor(parts: TestLogParts) {
    this.#parts = parts;
    const kept = keptFile.safeParse(parts.state.read('technician_tests')).data;
    this.#organization = kept?.organization_id ?? null;
    for (const entry of kept?.tests ?? []) this.#tests.set(entry.id, entry);
  }

  /** It was tried; whether it is as it should be is for a person to say. */
  saw(id: string, by: Technician, { ok, what }: Sight): void {
    this.#put({ ...this.#begun(id, by), seen: { at: this.#parts.wall.now(), ok, what } });
  }

  /** `sight` is what the controller sees of it right now; without it, what it saw when it was tried. */
  judge({ id, result, note }: TestJudgement, by: Technician, sight: Sight | null): TestEntry {
    this.#leaveOthers();
    const at: Instant = this.#parts.wall.now();
    const seen = sight === null ? (this.#tests.get(id)?.seen ?? null) : { at, ...sight };
    return answerOf(this.#put({ ...this.#begun(id, by), result, note: note ?? null, seen }));
  }

  list(): readonly TestEntry[] {
    this.#leaveOthers();
    return [...this.#tests.values()].reverse().map(answerOf);
  }

  #begun(id: string, { user_id, pass_id, is_remote }: Technician): Omit<KeptEntry, 'seen'> {
    const { wall } = this.#parts;
    const when = { at: wall.now(), time_trusted: wall.trusted() };
    return { id, result: null, note: null, ...when, user_id, pass_id, is_remote: is_remote ?? false };
  }

  #put(entry: KeptEntry): KeptEntry {
    this.#leaveOthers();
    this.#tests.delete(entry.id);
    this.#tests.set(entry.id, entry);
    for (const oldest of this.#tests.keys()) {
      if (this.#tests.size <= MOST_TESTS) break;
      this.#tests.delete(oldest);
    }
    const tests = [...this.#tests.values()];
    this.#parts.state.write('technician_tests', { organization_id: this.#organization, tests });
    return entry;
  }

  /** What somebody tried for another organization is not this one's to read. */
  #leaveOthers(): void {
    const now = this.#parts.organization();
    if (this.#organization !== null && now !== this.#organization) this.#tests.clear();
    this.#organization = now;
  }
}
