import type { DeviceId } from '@lintel/access-core/ids';

/**
 * The first event of each controller that the store had no room for. Later events are rejected until the controller has sent it
 * again, so that the events of a controller stay in order.
 */
export class EventGaps {
  readonly #firstMissing = new Map<DeviceId, number>();

  has(device: DeviceId): boolean {
    return this.#firstMissing.has(device);
  }

  add(device: DeviceId, sequence: number): void {
    this.#firstMissing.set(device, Math.min(sequence, this.#firstMissing.get(device) ?? sequence));
  }

  /** False while an earlier event is missing. */
  canAccept(device: DeviceId, sequence: number): boolean {
    return sequence <= (this.#firstMissing.get(device) ?? sequence);
  }

  clear(device: DeviceId): void {
    this.#firstMissing.delete(device);
  }

  /** The bridge has all events up to `sequence`, by whatever route. */
  clearUpTo(device: DeviceId, sequence: number): void {
    if ((this.#firstMissing.get(device) ?? Number.POSITIVE_INFINITY) <= sequence) this.#firstMissing.delete(device);
  }
}
