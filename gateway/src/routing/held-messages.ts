import type { DeviceId } from '@lintel/access-core/ids';

interface HeldMessage {
  readonly topic: string;
  readonly payload: Uint8Array;
}

const MOST_FOR_ONE = 64;
const MOST_BYTES_FOR_ONE = 1024 * 1024;

/** The first words of a device, for the moment until the bridge knows that it hangs here. */
export class HeldMessages {
  readonly #held = new Map<DeviceId, HeldMessage[]>();

  /** False when there are too many of them. */
  hold(device: DeviceId, topic: string, payload: Uint8Array): boolean {
    const those = this.#held.get(device) ?? [];
    const bytes = those.reduce((sum, one) => sum + one.payload.length, payload.length);
    if (those.length >= MOST_FOR_ONE || bytes > MOST_BYTES_FOR_ONE) return false;
    // The broker may use the bytes for what comes next.
    those.push({ topic, payload: Uint8Array.from(payload) });
    this.#held.set(device, those);
    return true;
  }

  release(device: DeviceId): readonly HeldMessage[] {
    const those = this.#held.get(device) ?? [];
    this.#held.delete(device);
    return those;
  }

  clear(): void {
    this.#held.clear();
  }
}
