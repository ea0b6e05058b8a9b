import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PacketSplitter } from './packet-splitter.ts';

const MAX_PACKET_BYTES = 200_000;

const lengthOf = (value: number): number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...lengthOf(value >> 7)];

const packetOf = (first: number, body: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from([first, ...lengthOf(body.length)]), body]);

const packetsOf = (
  chunks: readonly Buffer[],
  splitter = new PacketSplitter(MAX_PACKET_BYTES),
): Buffer[] | 'rejected' => {
  const packets: Buffer[] = [];
  for (const chunk of chunks)
    if (!splitter.push(chunk, ({ bytes }) => packets.push(Buffer.from(bytes)))) return 'rejected';
  return packets;
};

const body = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc.integer({ min: 120, max: 20_000 }).map(n => new Uint8Array(n)),
);

describe('PacketSplitter', () => {
  it('finds the same packets however the stream is split', () => {
    const cuts = fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(255), body), { maxLength: 8 }), cuts, (packets, sizes) => {
        const sent = packets.map(([first, bytes]) => packetOf(first, bytes));
        const stream = Buffer.concat(sent);
        const chunks: Buffer[] = [];
        for (let at = 0, turn = 0; at < stream.length; turn++) {
          const size = sizes[turn % sizes.length]!;
          chunks.push(stream.subarray(at, at + size));
          at += size;
        }
        expect(packetsOf(chunks)).toEqual(sent);
      }),
    );
  });

  it('returns the offset of the content after the length', () => {
    const starts: number[] = [];
    const splitter = new PacketSplitter(MAX_PACKET_BYTES);
    splitter.push(packetOf(0x30, new Uint8Array(5)), ({ start }) => starts.push(start));
    splitter.push(packetOf(0x30, new Uint8Array(500)), ({ start }) => starts.push(start));
    expect(starts).toEqual([2, 3]);
  });

  it('rejects a packet that is too long as soon as its length is known', () => {
    expect(packetsOf([Buffer.from([0x30, ...lengthOf(MAX_PACKET_BYTES)])])).toBe('rejected');
    expect(packetsOf([Buffer.from([0x30, ...lengthOf(MAX_PACKET_BYTES - 4)])])).toEqual([]);
  });

  it('rejects a length that does not end', () => {
    expect(packetsOf([Buffer.from([0x30, 0xff, 0xff]), Buffer.from([0xff, 0xff, 0x01])])).toBe('rejected');
  });
});
