import type { Instant } from '@lintel/access-core/instant';
import { epochMillisecondsSchema } from '@lintel/wire-protocol/mqtt/message-fields';
import { toDateTime } from '@lintel/wire-protocol/schema-parts/date-time';
import {
  type HardwareTestRecord,
  type HardwareTestResultRequest,
  hardwareTestResults,
} from '@lintel/wire-protocol/technician/hardware-tests';
import * as z from 'zod';
import type { ActingTechnician } from '../events/acting-technician.ts';
import type { ControllerStateStore } from '../state/controller-state-keys.ts';
import type { WallClock } from '../clock/wall-clock-interface.ts';

const MOST_TESTS = 500;

const observationSchema = z.object({ at: epochMillisecondsSchema, ok: z.boolean(), what: z.string() });
const entrySchema = z.object({
  id: z.string(),
  result: z.enum(hardwareTestResults).nullable(),
  note: z.string().nullable(),
  at: epochMillisecondsSchema,
  time_trusted: z.boolean(),
  user_id: z.string().nullable(),
  pass_id: z.string().nullable(),
  user_name: z.string().nullable().exactOptional(),
  is_remote: z.boolean(),
  seen: observationSchema.nullable(),
});
type StoredTest = z.infer<typeof entrySchema>;

const logSchema = z.object({
  organization_id: z.string().nullable(),
  product_id: z.string(),
  tests: z.array(entrySchema).max(MOST_TESTS),
});

/** What the controller itself observed in a test. */
export interface HardwareTestObservation {
  readonly ok: boolean;
  readonly what: string;
}

interface HardwareTestLogDependencies {
  readonly state: ControllerStateStore;
  readonly wall: Pick<WallClock, 'now' | 'isTrusted'>;
  /** The owner; null before the claim. */
  readonly organization: () => string | null;
  /** Results do not count for other hardware. */
  readonly productId: string;
}

const toTestEntry = ({ user_id, pass_id, user_name = null, at, seen, ...entry }: StoredTest): HardwareTestRecord => ({
  ...entry,
  at: toDateTime(at),
  by: { user_id: user_id as HardwareTestRecord['by']['user_id'], pass_id, user_name },
  seen: seen === null ? null : { ...seen, at: toDateTime(seen.at) },
});

/** The latest test of each part. Survives a restart, but not a change of owner or of the hardware profile. */
export class HardwareTestLog {
  readonly #parts: HardwareTestLogDependencies;
  /** Oldest first. */
  readonly #tests = new Map<string, StoredTest>();
  #organization: string | null;

  constructor(parts: HardwareTestLogDependencies) {
    this.#parts = parts;
    const saved = logSchema.safeParse(parts.state.read('technician_tests')).data;
    this.#organization = saved?.organization_id ?? null;
    if (saved?.product_id !== parts.productId) return;
    for (const entry of saved.tests) this.#tests.set(entry.id, entry);
  }

  /** A test ran; a person decides on its result. */
  recordObservation(id: string, by: ActingTechnician, { ok, what }: HardwareTestObservation): void {
    this.#put({ ...this.#newEntry(id, by), seen: { at: this.#parts.wall.now(), ok, what } });
  }

  /** `observation`: the current one; null keeps the one of the test. */
  recordResult(
    { id, result, note }: HardwareTestResultRequest,
    by: ActingTechnician,
    observation: HardwareTestObservation | null,
  ): HardwareTestRecord {
    this.#clearOnOwnerChange();
    const at: Instant = this.#parts.wall.now();
    const before = this.#tests.get(id)?.seen ?? null;
    const isSame = before !== null && before.ok === observation?.ok && before.what === observation.what;
    const seen = observation === null || isSame ? before : { at, ok: observation.ok, what: observation.what };
    return toTestEntry(this.#put({ ...this.#newEntry(id, by), result, note: note ?? null, seen }));
  }

  /** The latest observation of this test; null if it did not run. */
  observationOf(id: string): HardwareTestObservation | null {
    this.#clearOnOwnerChange();
    return this.#tests.get(id)?.seen ?? null;
  }

  list(): readonly HardwareTestRecord[] {
    this.#clearOnOwnerChange();
    return [...this.#tests.values()].reverse().map(toTestEntry);
  }

  #newEntry(id: string, { user_id, pass_id, user_name = null, is_remote }: ActingTechnician): Omit<StoredTest, 'seen'> {
    const { wall } = this.#parts;
    const when = { at: wall.now(), time_trusted: wall.isTrusted() };
    return { id, result: null, note: null, ...when, user_id, pass_id, user_name, is_remote: is_remote ?? false };
  }

  #put(entry: StoredTest): StoredTest {
    this.#clearOnOwnerChange();
    this.#tests.delete(entry.id);
    this.#tests.set(entry.id, entry);
    for (const oldest of this.#tests.keys()) {
      if (this.#tests.size <= MOST_TESTS) break;
      this.#tests.delete(oldest);
    }
    const tests = [...this.#tests.values()];
    const { state, productId: product_id } = this.#parts;
    state.write('technician_tests', { organization_id: this.#organization, product_id, tests });
    return entry;
  }

  /** Tests are not visible to the next owner. */
  #clearOnOwnerChange(): void {
    const now = this.#parts.organization();
    if (this.#organization !== null && now !== this.#organization) this.#tests.clear();
    this.#organization = now;
  }
}
