import type { DeviceId } from '@lintel/access-core/ids';

interface HeldMessage {
  readonly topic: string;
  readonly payload: Uint8Array;
}

const MAX_PER_DEVICE = 64;
const MAX_BYTES_PER_DEVICE = 1024 * 1024;

/** The first messages of a device, held until the bridge knows that the device is connected to this gateway. */
export class HeldUplinkMessages {
  readonly #held = new Map<DeviceId, HeldMessage[]>();

  /** False when the device has too many held messages. */
  hold(device: DeviceId, topic: string, payload: Uint8Array): boolean {
    const messages = this.#held.get(device) ?? [];
    const bytes = messages.reduce((sum, message) => sum + message.payload.length, payload.length);
    if (messages.length >= MAX_PER_DEVICE || bytes > MAX_BYTES_PER_DEVICE) return false;
    // The broker may reuse the buffer for the next message.
    messages.push({ topic, payload: Uint8Array.from(payload) });
    this.#held.set(device, messages);
    return true;
  }

  release(device: DeviceId): readonly HeldMessage[] {
    const messages = this.#held.get(device) ?? [];
    this.#held.delete(device);
    return messages;
  }

  clear(): void {
    this.#held.clear();
  }
}
