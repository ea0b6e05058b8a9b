import type { DeviceId } from '@lintel/access-core/ids';

/**
 * From which number on events were left with their controller, because there was no room for them. What comes behind
 * them is left as well until they have come again: the order of a controller's events holds whatever happens here.
 */
export class LeftBehind {
  readonly #lowest = new Map<DeviceId, number>();

  has(device: DeviceId): boolean {
    return this.#lowest.has(device);
  }

  leave(device: DeviceId, first: number): void {
    this.#lowest.set(device, Math.min(first, this.#lowest.get(device) ?? first));
  }

  /** False while something before it is missing. */
  mayCome(device: DeviceId, first: number): boolean {
    return first <= (this.#lowest.get(device) ?? first);
  }

  /** They have come again. */
  came(device: DeviceId): void {
    this.#lowest.delete(device);
  }

  /** The bridge has all events up to this one, whichever way they took. */
  confirmed(device: DeviceId, upTo: number): void {
    if ((this.#lowest.get(device) ?? Number.POSITIVE_INFINITY) <= upTo) this.#lowest.delete(device);
  }
}
