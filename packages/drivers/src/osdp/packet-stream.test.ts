import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeOsdpPacket, OSDP_SECURITY_BLOCK_TYPES } from './packet.ts';
import { OsdpPacketStream } from './packet-stream.ts';

const mac = Uint8Array.of(1, 2, 3, 4);

const packet = fc.record({
  address: fc.integer({ min: 0, max: 0x7f }),
  sequence: fc.integer({ min: 0, max: 3 }),
  crc: fc.boolean(),
  from_peripheral: fc.boolean(),
  security: fc.option(
    fc.record({
      type: fc.constantFrom(...Object.values(OSDP_SECURITY_BLOCK_TYPES)),
      data: fc.uint8Array({ maxLength: 4 }),
    }),
  ),
  id: fc.integer({ min: 0, max: 0xff }),
  data: fc.uint8Array({ maxLength: 200 }),
});

/** No byte of it can begin a packet. */
const noise = fc.uint8Array({ maxLength: 20 }).map(bytes => bytes.map(byte => (byte === 0x53 ? 0xff : byte)));

const pieces = (bytes: Uint8Array, cuts: readonly number[]): readonly Uint8Array[] => {
  const at = [0, ...cuts.map(cut => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return at.slice(1).map((end, place) => bytes.subarray(at[place], end));
};

describe('PacketStream', () => {
  it('finds every packet in pieces of any size with noise in between', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(noise, packet), { minLength: 1, maxLength: 5 }),
        fc.array(fc.nat(), { maxLength: 8 }),
        (sent, cuts) => {
          const bytes = Uint8Array.from(
            sent.flatMap(([noise, one]) => [...noise, ...encodeOsdpPacket(one, () => mac)]),
          );
          const stream = new OsdpPacketStream();
          const found = pieces(bytes, cuts).flatMap(piece => stream.take(piece));
          expect(found).toMatchObject(sent.map(([, one]) => one));
          for (const { security, mac: got } of found)
            expect(got).toEqual(
              security !== null && security.type >= OSDP_SECURITY_BLOCK_TYPES.command_mac ? mac : null,
            );
        },
      ),
    );
  });

  it('drops a packet with one wrong bit at any position', () => {
    fc.assert(
      fc.property(packet, fc.nat(), (one, place) => {
        const bytes = encodeOsdpPacket({ ...one, crc: true }, () => mac);
        const bit = place % (bytes.length * 8);
        // A longer length waits for more bytes, and the CRC bit turns the CRC into a checksum that may match by chance.
        fc.pre(bit >> 3 !== 2 && bit >> 3 !== 3 && bit !== 4 * 8 + 2);
        bytes[bit >> 3]! ^= 1 << (bit & 7);
        expect(new OsdpPacketStream().take(bytes).filter(({ id }) => id === one.id)).toEqual([]);
      }),
    );
  });

  it('finds a packet behind a false start', () => {
    const golden = Uint8Array.of(0x53, 0xe5, 0x08, 0x00, 0x06, 0x40, 0xb0, 0xf0);
    const stream = new OsdpPacketStream();
    expect(stream.take(Uint8Array.of(0x53, 0xe5, 0x0a, 0x00, 0x04, ...golden))).toHaveLength(1);
    stream.take(Uint8Array.of(0x53, 0xe5, 0xff, 0x04, 0x04));
    stream.reset();
    expect(stream.take(golden)).toHaveLength(1);
  });

  it.each([
    ['shorter than a packet', [0x53, 0xe5, 0x06, 0x00, 0x00, 0xc2]],
    ['longer than any packet', [0x53, 0xe5, 0xa1, 0x05, 0x00]],
  ])('treats a length that is %s as noise', (_, bytes) => {
    const golden = [0x53, 0xe5, 0x08, 0x00, 0x06, 0x40, 0xb0, 0xf0];
    expect(new OsdpPacketStream().take(Uint8Array.of(...bytes, ...golden))).toHaveLength(1);
  });

  it.each([
    ['a security block that is longer than the packet', [0x53, 0xe5, 0x09, 0x00, 0x08, 0x20, 0x16, 0x40]],
    ['a security block of one byte', [0x53, 0xe5, 0x09, 0x00, 0x08, 0x01, 0x16, 0x40]],
    ['a packet without room for a MAC', [0x53, 0xe5, 0x09, 0x00, 0x08, 0x02, 0x16, 0x40]],
  ])('rejects %s', (_, unchecked) => {
    const sum = unchecked.reduce((total, byte) => total + byte, 0);
    expect(new OsdpPacketStream().take(Uint8Array.of(...unchecked, -sum & 0xff))).toEqual([]);
  });

  it('counts damage since its reset: wrong check bytes and truncated packets, but not noise', () => {
    const poll = Uint8Array.of(0x53, 0x65, 0x08, 0x00, 0x04, 0x60, 0x60, 0x90);
    const stream = new OsdpPacketStream();
    const damageAfter = (bytes: Uint8Array): boolean => {
      stream.reset();
      stream.take(bytes);
      return stream.hasDamage;
    };
    expect(damageAfter(poll.with(7, 0x91))).toBe(true);
    expect(damageAfter(poll.subarray(0, 6))).toBe(true);
    expect(damageAfter(poll)).toBe(false);
    expect(damageAfter(Uint8Array.of(0xff, 0x00, 0x7f))).toBe(false);
  });
});
