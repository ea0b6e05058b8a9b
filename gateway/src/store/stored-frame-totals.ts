import type { DeviceId } from '@lintel/access-core/ids';
import type { StoredFrameMetadata } from './unconfirmed-frame-table.ts';
import { EventRangeSet, type EpochEventRange } from './event-ranges.ts';

interface DeviceTotals {
  frames: number;
  bytes: number;
  events: number;
  /** By certificate. */
  readonly held: Map<string, EventRangeSet>;
}

export interface FrameQueueSize {
  readonly frames: number;
  readonly bytes: number;
  readonly events: number;
}

const emptyQueue: FrameQueueSize = { frames: 0, bytes: 0, events: 0 };

/** Sizes and sequence ranges of the stored frames, in memory: a few numbers per device, however many frames are stored. */
export class StoredFrameTotals {
  readonly #devices = new Map<DeviceId, DeviceTotals>();
  #bytes = 0;
  #frames = 0;
  #events = 0;

  get total(): FrameQueueSize {
    return { frames: this.#frames, bytes: this.#bytes, events: this.#events };
  }

  queueOf(device: DeviceId): FrameQueueSize {
    const totals = this.#devices.get(device);
    return totals === undefined ? emptyQueue : { frames: totals.frames, bytes: totals.bytes, events: totals.events };
  }

  devices(): DeviceId[] {
    return [...this.#devices.keys()];
  }

  serials(device: DeviceId): string[] {
    return [...(this.#devices.get(device)?.held.keys() ?? [])];
  }

  /** Whether all of these events are stored. */
  holds(device: DeviceId, serial: string, ranges: readonly EpochEventRange[]): boolean {
    const held = this.#devices.get(device)?.held.get(serial);
    return held !== undefined && ranges.length > 0 && ranges.every(range => held.has(range));
  }

  add({ device, serial, ranges, bytes, events }: StoredFrameMetadata): void {
    const totals = this.#devices.get(device) ?? { frames: 0, bytes: 0, events: 0, held: new Map() };
    this.#devices.set(device, totals);
    const held = totals.held.get(serial) ?? new EventRangeSet();
    totals.held.set(serial, held);
    for (const range of ranges) held.add(range);
    this.#count(totals, 1, bytes, events);
  }

  remove({ device, serial, ranges, bytes, events }: StoredFrameMetadata): void {
    const totals = this.#devices.get(device);
    if (totals === undefined) return;
    const held = totals.held.get(serial);
    // Another frame may hold the same event. The bridge then gets it twice, which is harmless.
    for (const range of ranges) held?.remove(range);
    if (held?.isEmpty === true) totals.held.delete(serial);
    this.#count(totals, -1, -bytes, -events);
    if (totals.frames <= 0) this.#devices.delete(device);
  }

  #count(totals: DeviceTotals, frames: number, bytes: number, events: number): void {
    totals.frames += frames;
    totals.bytes += bytes;
    totals.events += events;
    this.#frames += frames;
    this.#bytes += bytes;
    this.#events += events;
  }

  clear(): void {
    this.#devices.clear();
    this.#bytes = 0;
    this.#frames = 0;
    this.#events = 0;
  }
}
