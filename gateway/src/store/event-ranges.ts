import { SequenceRangeSet, toSequenceRanges, type SequenceRange } from '@lintel/access-core/sequence-ranges';

/** Events of a controller. A number identifies an event within its epoch, a start of the controller. */
export interface EpochEventRange {
  readonly epoch: string;
  readonly range: SequenceRange;
}

interface NumberedEvent {
  readonly epoch: string;
  readonly sequence: number;
}

/** The events as the fewest ranges, ascending. */
export const toEventRanges = (events: readonly NumberedEvent[]): EpochEventRange[] =>
  [...Map.groupBy(events, ({ epoch }) => epoch)]
    .flatMap(([epoch, own]) => toSequenceRanges(own.map(({ sequence }) => sequence)).map(range => ({ epoch, range })))
    .sort((a, b) => a.range[0] - b.range[0]);

/** A set of events of one controller. */
export class EventRangeSet {
  readonly #byEpoch = new Map<string, SequenceRangeSet>();

  constructor(ranges: readonly EpochEventRange[] = []) {
    for (const range of ranges) this.add(range);
  }

  get isEmpty(): boolean {
    return this.#byEpoch.size === 0;
  }

  has({ epoch, range }: EpochEventRange): boolean {
    return this.#byEpoch.get(epoch)?.hasAll(range) ?? false;
  }

  add({ epoch, range }: EpochEventRange): void {
    const held = this.#byEpoch.get(epoch) ?? new SequenceRangeSet();
    this.#byEpoch.set(epoch, held);
    held.add(range);
  }

  remove({ epoch, range }: EpochEventRange): void {
    const held = this.#byEpoch.get(epoch);
    held?.remove(range);
    if (held?.ranges.length === 0) this.#byEpoch.delete(epoch);
  }
}
