import { nodeAes } from '@lintel/device-runtime/adapters/osdp/aes';
import { cardOfBits } from '@lintel/device-runtime/adapters/osdp/card-of-bits';
import type { ReceivedPacket } from '@lintel/device-runtime/adapters/osdp/packet';
import { PacketStream } from '@lintel/device-runtime/adapters/osdp/packet-stream';
import { decodeReply } from '@lintel/device-runtime/adapters/osdp/replies';
import { openReply } from '@lintel/device-runtime/adapters/osdp/secure-session';
import { expect, it } from 'vitest';
import { beforeMac, closeFrame, crcBitByBit } from '../../support/osdp-peripheral/line-code.ts';
import { processorTime } from './processor-time.ts';

/** Xorshift: the same frames in every run. */
const dice = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
};

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
    const unchecked = beforeMac({ ...fields, data: Buffer.from(hex, 'hex') });
    return closeFrame(securityBlock === null ? unchecked : Buffer.concat([unchecked, Buffer.alloc(4)]));
  }),
);

/** Half of them get a right CRC again, so that what is behind it is reached. */
const mutated = (roll: () => number): Buffer => {
  const frame = Buffer.from(seeds[roll() % seeds.length]!);
  for (let times = roll() % 4; times > 0; times--) frame[roll() % frame.length] = roll();
  const kind = roll() % 8;
  if (kind === 0) return frame.subarray(0, roll() % frame.length);
  if (kind === 1) return Buffer.concat([Buffer.of(roll(), 0x53, roll()), frame]);
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

it('takes a million broken frames without a word', () => {
  const roll = dice(20_261_115);
  const stream = new PacketStream();
  const seen = { packets: 0, replies: 0, malformed: 0, cards: 0, opened: 0 };
  const look = (packet: ReceivedPacket): void => {
    seen.packets++;
    const reply = decodeReply(packet.id, packet.data);
    if (reply === null) seen.malformed++;
    else seen.replies++;
    if (reply?.type === 'raw' && cardOfBits(reply.bits, reply.bit_count, false) !== null) seen.cards++;
    if (seen.packets % 16 === 0 && openReply(nodeAes, session, packet) !== null) seen.opened++;
  };
  const worked = processorTime();
  for (let count = 0; count < 1_000_000; count++) for (const packet of stream.take(mutated(roll))) look(packet);
  expect(worked()).toBeLessThan(60_000);
  expect(seen.replies).toBeGreaterThan(100_000);
  expect(seen.malformed).toBeGreaterThan(10_000);
  expect(seen.cards).toBeGreaterThan(100);
  // A MAC of four bytes is guessed once in four thousand million.
  expect(seen.opened).toBe(0);
});

const garbage: readonly [string, (roll: () => number, at: number) => number][] = [
  ['random bytes', roll => roll() & 0xff],
  ['nothing but starts', () => 0x53],
  ['starts of long packets', (roll, at) => [0x53, 0x81, 0x90, 0x05][at % 600] ?? roll() & 0xff],
  ['marks', () => 0xff],
];

it.each(garbage)('keeps up with 10 MB/s of %s in little memory', (_, byteAt) => {
  const roll = dice(7);
  const piece = Buffer.alloc(64 * 1024, 0).map((__, at) => byteAt(roll, at));
  const stream = new PacketStream();
  const before = process.memoryUsage();
  const worked = processorTime();
  const pieces = (20 * 1024 * 1024) / piece.length;
  let packets = 0;
  for (let count = 0; count < pieces; count++) packets += stream.take(piece).length;
  expect(worked()).toBeLessThan(2_000);
  expect(packets).toBeLessThan(1_000);
  expect(process.memoryUsage().rss - before.rss).toBeLessThan(100e6);
  stream.reset();
  expect(stream.take(seeds[0]!)).toHaveLength(1);
});
