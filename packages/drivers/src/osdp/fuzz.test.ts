import { resolveWiegandFormat } from '../wiegand/formats.ts';
import { nodeAesCipher } from './aes.ts';
import { decodeOsdpCardBits } from './card-bits.ts';
import type { ReceivedOsdpPacket } from './packet.ts';
import { OsdpPacketStream } from './packet-stream.ts';
import { decodeOsdpReply } from './decode-osdp-reply.ts';
import { unsealOsdpReply } from './secure-session.ts';
import { describe, expect, it } from 'vitest';
import { SeededRandom } from '@lintel/test/support/seeded-random';
import { encodeUpToMac, appendChecksum, crcBitByBit } from '@lintel/test/support/osdp-peripheral/osdp-frames';
import { iterations, runSeed } from '@lintel/test/support/test-iterations-and-seed';

const formats = ([26, 34, 37] as const).map(resolveWiegandFormat);

const FRAMES = iterations({ sample: 20_000, all: 1_000_000 });
const GARBAGE_PIECES = iterations({ sample: 32, all: 320 });

const replies: readonly [number, string][] = [
  [0x40, ''],
  [0x41, '01'],
  [0x45, '000ee3010278563412030405'],
  [0x46, '010104020204030100'],
  [0x48, '0000'],
  [0x49, '00010203'],
  [0x50, '00001a00bd88eb80'],
  [0x50, '00002000deadbeef'],
  [0x51, '000004'.concat('31323334')],
  [0x53, '00043132337f'],
  [0x54, '0180250000'],
  [0x76, '00'.repeat(32)],
  [0x78, '11'.repeat(16)],
  [0x79, ''],
];

const seeds = replies.flatMap(([code, hex]) =>
  [null, Buffer.of(0x16), Buffer.of(0x18)].map(securityBlock => {
    const fields = { address: 1, isReply: true, sequence: 1, usesCrc: true, code, securityBlock };
    const unchecked = encodeUpToMac({ ...fields, data: Buffer.from(hex, 'hex') });
    return appendChecksum(securityBlock === null ? unchecked : Buffer.concat([unchecked, Buffer.alloc(4)]));
  }),
);

const intact = seeds[0]!;

/** Half of the frames get a valid CRC again, so that the decoders after the CRC check are reached. */
const mutated = (random: SeededRandom): Buffer => {
  const frame = Buffer.from(random.pick(seeds));
  for (let times = random.below(4); times > 0; times--) frame[random.below(frame.length)] = random.below(256);
  const kind = random.below(8);
  if (kind === 0) return frame.subarray(0, random.below(frame.length));
  if (kind === 1) return Buffer.concat([Buffer.of(random.below(256), 0x53, random.below(256)), frame]);
  if (kind > 4) return frame;
  frame[0] = 0x53;
  frame.writeUInt16LE(frame.length, 2);
  frame[4]! |= 4;
  frame.writeUInt16LE(crcBitByBit(frame.subarray(0, -2)), frame.length - 2);
  return frame;
};

const session = {
  enc: new Uint8Array(16),
  mac1: new Uint8Array(16),
  mac2: new Uint8Array(16),
  command_mac: new Uint8Array(16),
  reply_mac: new Uint8Array(16),
};

describe('PacketStream', () => {
  it('finds the intact packets among damaged ones, and none of them passes the MAC check', () => {
    const random = new SeededRandom(runSeed());
    const stream = new OsdpPacketStream();
    const seen = { replies: 0, malformed: 0, cards: 0, opened: 0 };
    const examine = (packet: ReceivedOsdpPacket): void => {
      const reply = decodeOsdpReply(packet.id, packet.data);
      if (reply === null) seen.malformed++;
      else seen.replies++;
      if (reply?.type === 'raw' && decodeOsdpCardBits(reply.bits, reply.bit_count, formats, false) !== null)
        seen.cards++;
      if ((seen.replies + seen.malformed) % 16 === 0 && unsealOsdpReply(nodeAesCipher, session, packet) !== null)
        seen.opened++;
    };
    for (let count = 0; count < FRAMES; count++) for (const packet of stream.take(mutated(random))) examine(packet);
    expect(seen.replies).toBeGreaterThan(FRAMES / 10);
    expect(seen.malformed).toBeGreaterThan(FRAMES / 100);
    expect(seen.cards).toBeGreaterThan(FRAMES / 10_000);
    // A random MAC of four bytes is correct once in four billion attempts.
    expect(seen.opened).toBe(0);
  }, 600_000);

  const garbage: readonly [string, (random: SeededRandom, at: number) => number][] = [
    ['random bytes', random => random.below(256)],
    ['start bytes', () => 0x53],
    ['headers of long packets', (random, at) => [0x53, 0x81, 0x90, 0x05][at % 600] ?? random.below(256)],
    ['0xff bytes', () => 0xff],
  ];

  it.each(garbage)('finds a packet within the length of the longest one after %s', (_, byteAt) => {
    const random = new SeededRandom(runSeed());
    const piece = Buffer.alloc(64 * 1024, 0).map((__, at) => byteAt(random, at));
    const stream = new OsdpPacketStream();
    let packets = 0;
    for (let count = 0; count < GARBAGE_PIECES; count++) packets += stream.take(piece).length;
    expect(packets).toBeLessThan(1_000);
    // A packet that seems to have begun covers at most 1440 bytes.
    const tries = Math.ceil(1440 / intact.length) + 1;
    expect(Array.from({ length: tries }, () => stream.take(intact)).flat()).not.toEqual([]);
    stream.reset();
    expect(stream.take(intact)).toHaveLength(1);
  });
});
