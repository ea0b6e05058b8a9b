import { DAY_MS } from '@lintel/access-core/durations';
import { type Instant, instant } from '@lintel/access-core/instant';
import { toDateTime } from '@lintel/wire-protocol/schema-parts/date-time';
import { epochMillisecondsSchema } from '@lintel/wire-protocol/mqtt/message-fields';
import * as z from 'zod';
import type { ControllerStateStore } from './controller-state-keys.ts';

/** So long people are still admitted, so that the new controller can be prepared before it is mounted. */
const ADMITS_FOR_MS = DAY_MS;

const recordSchema = z.object({ serial: z.string(), replaced_at: epochMillisecondsSchema });

/** `serial`: of the certificate with which this controller was replaced. */
export type ReplacementStatement = z.infer<typeof recordSchema>;

/** What the organization has signed about this controller: that another one has taken its place. */
export class ReplacementRecord {
  readonly #state: ControllerStateStore;
  readonly #wall: { now(): Instant };
  #statement: ReplacementStatement | null;

  constructor(state: ControllerStateStore, wall: { now(): Instant }) {
    this.#state = state;
    this.#wall = wall;
    this.#statement = recordSchema.safeParse(state.read('replaced')).data ?? null;
  }

  /** Null: the organization uses this controller. */
  set(statement: ReplacementStatement | null): void {
    const before = this.#statement;
    if (before?.serial === statement?.serial && before?.replaced_at === statement?.replaced_at) return;
    this.#statement = statement;
    this.#state.write('replaced', statement);
  }

  /** A new claim has another certificate. */
  keepOnly(serial: string): void {
    if (this.#statement !== null && this.#statement.serial !== serial) this.set(null);
  }

  /** Nothing that is withdrawn reaches this controller any more, so after a day nobody is admitted. */
  get deniesAccess(): boolean {
    return this.#statement !== null && this.#wall.now() >= this.#statement.replaced_at + ADMITS_FOR_MS;
  }

  /** Null if it was not replaced. */
  get message(): string | null {
    if (this.#statement === null) return null;
    const { replaced_at } = this.#statement;
    const access = this.deniesAccess
      ? 'All access is denied'
      : `People are admitted until ${toDateTime(instant(replaced_at + ADMITS_FOR_MS))}`;
    return `This controller was replaced by another on ${toDateTime(replaced_at)}. ${access}`;
  }
}
