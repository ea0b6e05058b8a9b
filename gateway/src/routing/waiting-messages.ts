import type { DeviceId } from '@lintel/access-core/ids';
import type { UplinkMessageKind } from '@lintel/wire-protocol/mqtt/topics';

export interface UplinkMessage {
  readonly kind: UplinkMessageKind;
  readonly topic: string;
  readonly payload: Uint8Array;
}

const MAX_PER_DEVICE = 64;
const MAX_BYTES_PER_DEVICE = 1024 * 1024;

/** Messages that cannot be forwarded yet, in order for each device. */
export class WaitingMessages {
  readonly #waiting = new Map<DeviceId, UplinkMessage[]>();

  has(device: DeviceId): boolean {
    return this.#waiting.has(device);
  }

  /** False when too many messages of the device wait. */
  add(device: DeviceId, { kind, topic, payload }: UplinkMessage): boolean {
    const messages = this.#waiting.get(device) ?? [];
    const bytes = messages.reduce((sum, message) => sum + message.payload.length, payload.length);
    if (messages.length > 0 && (messages.length >= MAX_PER_DEVICE || bytes > MAX_BYTES_PER_DEVICE)) return false;
    // The broker may reuse the buffer for the next message.
    messages.push({ kind, topic, payload: Uint8Array.from(payload) });
    this.#waiting.set(device, messages);
    return true;
  }

  /** Removes the next message. The devices take turns. */
  next(): UplinkMessage | undefined {
    const [turn] = this.#waiting;
    if (turn === undefined) return undefined;
    const [device, messages] = turn;
    const message = messages.shift();
    this.#waiting.delete(device);
    if (messages.length > 0) this.#waiting.set(device, messages);
    return message;
  }

  /** Removes all messages of the device. */
  takeAll(device: DeviceId): readonly UplinkMessage[] {
    const messages = this.#waiting.get(device) ?? [];
    this.#waiting.delete(device);
    return messages;
  }

  clear(): void {
    this.#waiting.clear();
  }
}
