import { SequenceRangeSet, type SequenceRange } from '@lintel/access-core/sequence-ranges';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';

/** Older epochs are forgotten. A loss in one of them may then be reported although its events have arrived. */
const MAX_EPOCHS = 20;

type LostEvents = Pick<NonNullable<DeviceEvent['lost']>, 'epoch' | 'first' | 'last'>;

/** The sequence numbers of a controller's events that have arrived or are reported as lost, by epoch. */
export class ReceivedEventNumbers {
  readonly #byEpoch: Map<string, SequenceRangeSet>;

  constructor(saved: string) {
    const ranges = JSON.parse(saved) as Record<string, readonly SequenceRange[]>;
    this.#byEpoch = new Map(Object.entries(ranges).map(([epoch, own]) => [epoch, new SequenceRangeSet(own)]));
  }

  /** Whether the event has arrived or is reported as lost. */
  has({ epoch, sequence }: Pick<DeviceEvent, 'epoch' | 'sequence'>): boolean {
    return this.#byEpoch.get(epoch ?? '')?.hasAll([sequence, sequence]) ?? false;
  }

  add({ epoch, sequence }: Pick<DeviceEvent, 'epoch' | 'sequence'>): void {
    this.#of(epoch ?? '').add([sequence, sequence]);
  }

  #of(epoch: string): SequenceRangeSet {
    const known = this.#byEpoch.get(epoch);
    if (known !== undefined) return known;
    const ranges = new SequenceRangeSet();
    this.#byEpoch.set(epoch, ranges);
    for (const oldest of this.#byEpoch.keys()) {
      if (this.#byEpoch.size <= MAX_EPOCHS) break;
      this.#byEpoch.delete(oldest);
    }
    return ranges;
  }

  /** The lost numbers that have not arrived. They count as reported from now on, so that a repeated report is empty. */
  reportLost({ epoch, first, last }: LostEvents): SequenceRange[] {
    const epochs = epoch == null ? [...this.#byEpoch.values()] : [this.#of(epoch)];
    const arrived = new SequenceRangeSet();
    for (const ranges of epochs) for (const range of ranges.ranges) arrived.add(range);
    const missing = arrived.missing([first, last]);
    for (const range of missing) this.#of(epoch ?? '').add(range);
    return missing;
  }

  toString(): string {
    return JSON.stringify(Object.fromEntries([...this.#byEpoch].map(([epoch, { ranges }]) => [epoch, ranges])));
  }
}
