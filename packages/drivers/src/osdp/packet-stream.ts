import { computeOsdpChecksum, computeOsdpCrc } from './crc-and-checksum.ts';
import {
  decodeOsdpPacket,
  OSDP_PACKET_HEADER_BYTES,
  type ReceivedOsdpPacket,
  OSDP_PACKET_START,
  OSDP_CRC_FLAG,
} from './packet.ts';

const SHORTEST_PACKET = OSDP_PACKET_HEADER_BYTES + 2;
/** Maximum packet length of the standard. */
const LONGEST_PACKET = 1440;

const NOTHING = new Uint8Array(0);

/** The length in the header; 0 if the header is invalid. */
const claimedLength = (bytes: Uint8Array, at: number): number => {
  const length = bytes[at + 2]! | (bytes[at + 3]! << 8);
  return length >= SHORTEST_PACKET && length <= LONGEST_PACKET ? length : 0;
};

const isIntact = (bytes: Uint8Array, at: number, end: number): boolean => {
  if ((bytes[at + 4]! & OSDP_CRC_FLAG) === 0) return computeOsdpChecksum(bytes, at, end - 1) === bytes[end - 1];
  return computeOsdpCrc(bytes, at, end - 2) === (bytes[end - 2]! | (bytes[end - 1]! << 8));
};

/**
 * Extracts packets from received bytes. Skips noise and damaged packets. A parser of serialport would trust the length of a
 * damaged header: after a wrong checksum the next packet may begin inside the discarded bytes.
 */
export class OsdpPacketStream {
  #held: Uint8Array = NOTHING;
  #hasBroken = false;

  take(bytes: Uint8Array): readonly ReceivedOsdpPacket[] {
    const all = this.#joined(bytes);
    const packets: ReceivedOsdpPacket[] = [];
    const last = all.length - OSDP_PACKET_HEADER_BYTES;
    const start = OSDP_PACKET_START;
    let at = all.indexOf(start);
    while (at !== -1 && at <= last) {
      const length = claimedLength(all, at);
      if (at + length > all.length) break;
      const packet = length > 0 && isIntact(all, at, at + length) ? decodeOsdpPacket(all.slice(at, at + length)) : null;
      if (packet !== null) packets.push(packet);
      else if (length > 0) this.#hasBroken = true;
      // A false start byte may hide a real packet within its claimed length.
      at += packet === null ? 1 : length;
      // indexOf is fast over distances but slow to start.
      if (all[at] !== start) at = all.indexOf(start, at);
    }
    // A copy, so that a few bytes do not keep a large buffer alive.
    this.#held = at === -1 ? NOTHING : all.slice(at);
    return packets;
  }

  /** A packet has begun and is incomplete. */
  get isMidPacket(): boolean {
    return this.#held.length > 0;
  }

  /** Since the last reset, a packet arrived damaged or incomplete. */
  get hasDamage(): boolean {
    return this.#hasBroken || this.isMidPacket;
  }

  /** Drops an incomplete packet before the next command. */
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
