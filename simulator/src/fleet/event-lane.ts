import type { Ack } from '@lintel/wire-protocol/mqtt/messages/ack';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';

/** An event before it has its number. */
export type UnnumberedEvent = Omit<DeviceEvent, 'sequence'>;

interface Waiting {
  readonly event: UnnumberedEvent;
  readonly since: number;
}

interface Sent {
  readonly event: DeviceEvent;
  readonly since: number;
}

const MOST_IN_BATCH = 100;

/**
 * Events of one controller until the bridge has committed them: one batch under way, the others behind it. A run does not
 * know how far the one before it counted; the first acknowledgement tells, and until then there is only the first batch.
 */
export class EventLane {
  #waiting: Waiting[] = [];
  #underWay: Sent[] = [];
  #sentAt = 0;
  #sequence = 0;

  get sequence(): number {
    return this.#sequence;
  }

  /** All that is not committed yet. */
  get size(): number {
    return this.#waiting.length + this.#underWay.length;
  }

  get isFree(): boolean {
    return this.#underWay.length === 0;
  }

  add(event: UnnumberedEvent, now: number): void {
    this.#waiting.push({ event, since: now });
  }

  /** The next batch to be sent, or the one under way once more. Empty when there is nothing to say. */
  batch(now: number): readonly DeviceEvent[] {
    if (this.isFree) {
      this.#underWay = this.#waiting
        .splice(0, MOST_IN_BATCH)
        .map(({ event, since }) => ({ event: { ...event, sequence: ++this.#sequence }, since }));
    }
    this.#sentAt = now;
    return this.#underWay.map(({ event }) => event);
  }

  isLate(now: number, patienceMs: number): boolean {
    return !this.isFree && now - this.#sentAt > patienceMs;
  }

  /** Answers since when each of the events had waited that are committed now. */
  acknowledged({ up_to, event_ids }: Ack): readonly number[] {
    const named = new Set<string>(event_ids);
    const isCommitted = ({ event }: Sent): boolean => event.sequence <= up_to || named.has(event.id);
    const committed = this.#underWay.filter(isCommitted).map(({ since }) => since);
    if (committed.length > 0) this.#underWay = this.#underWay.filter(sent => !isCommitted(sent));
    this.#sequence = Math.max(this.#sequence, up_to);
    return committed;
  }
}
