import { checksum, crc16 } from './check-bytes.ts';
import { decodePacket, HEADER_BYTES, type ReceivedPacket, START, WITH_CRC } from './packet.ts';

const SHORTEST_PACKET = HEADER_BYTES + 2;
/** The largest that the standard allows. */
const LONGEST_PACKET = 1440;

const NOTHING = new Uint8Array(0);

/** The length that a header claims; 0 when no packet begins like this. */
const claimedLength = (bytes: Uint8Array, at: number): number => {
  const length = bytes[at + 2]! | (bytes[at + 3]! << 8);
  return length >= SHORTEST_PACKET && length <= LONGEST_PACKET ? length : 0;
};

const isIntact = (bytes: Uint8Array, at: number, end: number): boolean => {
  if ((bytes[at + 4]! & WITH_CRC) === 0) return checksum(bytes, at, end - 1) === bytes[end - 1];
  return crc16(bytes, at, end - 2) === (bytes[end - 2]! | (bytes[end - 1]! << 8));
};

/** Cuts packets out of the bytes of a line. Noise, broken packets and the rests of them are skipped. */
export class PacketStream {
  #held: Uint8Array = NOTHING;
  #hasBroken = false;

  take(bytes: Uint8Array): readonly ReceivedPacket[] {
    const all = this.#joined(bytes);
    const packets: ReceivedPacket[] = [];
    const last = all.length - HEADER_BYTES;
    const start = START;
    let at = all.indexOf(start);
    while (at !== -1 && at <= last) {
      const length = claimedLength(all, at);
      if (at + length > all.length) break;
      const packet = length > 0 && isIntact(all, at, at + length) ? decodePacket(all.slice(at, at + length)) : null;
      if (packet !== null) packets.push(packet);
      else if (length > 0) this.#hasBroken = true;
      // A start that was none may hide a real one among the bytes that it claimed.
      at += packet === null ? 1 : length;
      // Searching is quick over distances and slow to begin.
      if (all[at] !== start) at = all.indexOf(start, at);
    }
    // A copy, so that a few bytes do not keep a large piece alive.
    this.#held = at === -1 ? NOTHING : all.slice(at);
    return packets;
  }

  /** A packet has begun and may go on. */
  get isMidPacket(): boolean {
    return this.#held.length > 0;
  }

  /** Since the last reset something came that began as a packet and was none, or not all of one. */
  get hasDamage(): boolean {
    return this.#hasBroken || this.isMidPacket;
  }

  /** Forgets a packet that has begun: whoever was asked next answers anew. */
  reset(): void {
    this.#held = NOTHING;
    this.#hasBroken = false;
  }

  #joined(bytes: Uint8Array): Uint8Array {
    if (this.#held.length === 0) return bytes;
    const all = new Uint8Array(this.#held.length + bytes.length);
    all.set(this.#held);
    all.set(bytes, this.#held.length);
    return all;
  }
}
