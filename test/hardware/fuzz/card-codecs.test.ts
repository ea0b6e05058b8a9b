import { crc32 } from 'node:zlib';
import { monotonic } from '@lintel/access-core/monotonic';
import { readTarget } from '@lintel/device-runtime/adapters/pn532/pn532-commands';
import { Pn532FrameStream } from '@lintel/device-runtime/adapters/pn532/pn532-frame';
import { Rdm6300FrameStream } from '@lintel/device-runtime/adapters/rdm6300/rdm6300-frame';
import { answerReader, type PhoneKey, type PhoneSide } from '@lintel/wire-protocol/phone/phone-side';
import { askPhone, hearPhone, type ReaderStep } from '@lintel/wire-protocol/phone/reader-side';
import { describe, expect, it } from 'vitest';
import { processorTime } from './processor-time.ts';

const FRAMES = 1_000_000;

/** The same frames in every run. */
const dice = (seed: number): ((sides: number) => number) => {
  let state = seed;
  return sides => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % sides;
  };
};

const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(' ', ''), 'hex');

/** Cut off, drawn out, with a few bytes changed, behind noise, or as it was. */
const spoilt = (frame: Buffer, roll: (sides: number) => number): Buffer => {
  const copy = Buffer.from(frame);
  switch (roll(6)) {
    case 0:
      return copy.subarray(0, roll(copy.length));
    case 1:
      return Buffer.concat([copy, Buffer.alloc(roll(300), roll(256))]);
    case 2:
      return Buffer.concat([Buffer.from(Array.from({ length: roll(12) }, () => roll(256))), copy]);
    case 3:
      return copy;
    default:
      for (let times = roll(4); times >= 0; times--) copy[roll(copy.length)] = roll(256);
      return copy;
  }
};

const pn532Frames = [
  '00 00 ff 00 ff 00',
  '00 00 ff ff 00 00',
  '00 00 ff 01 ff 7f 81 00',
  '00 00 ff 06 fa d5 03 32 01 06 07 e8 00',
  '00 00 ff 0c f4 d5 4b 01 01 00 04 08 04 00 a1 b2 c3 b8 00',
].map(bytes);

const longFrame = Buffer.concat([
  bytes('00 00 ff ff ff 01 09 f6 d5 41'),
  Buffer.alloc(263, 7),
  Buffer.of(-(0xd5 + 0x41 + 263 * 7) & 0xff, 0),
]);

describe('a million frames, most of them spoilt', () => {
  it('come through the codec of the PN532: it tells nothing that was not on the line', () => {
    const roll = dice(532);
    const stream = new Pn532FrameStream();
    const frames = [...pn532Frames, longFrame];
    const seen = { answers: 0, broken: 0, targets: 0 };
    let before: Buffer = Buffer.alloc(0);
    for (let count = 0; count < FRAMES; count++) {
      const sent = spoilt(frames[roll(roll(50) === 0 ? 6 : 5)]!, roll);
      for (const frame of stream.take(sent)) {
        if (frame.type === 'broken') seen.broken++;
        if (frame.type !== 'answer') continue;
        seen.answers++;
        if (readTarget(frame.data) !== null) seen.targets++;
        const told = Buffer.concat([Buffer.of(0xd5, frame.code), frame.data]);
        if (!Buffer.concat([before, sent]).includes(told)) throw new Error(`made up after ${count} frames`);
      }
      before = Buffer.concat([before, sent]).subarray(-600);
    }
    expect(seen.answers).toBeGreaterThan(FRAMES / 20);
    expect(seen.targets).toBeGreaterThan(FRAMES / 50);
    expect(seen.broken).toBeGreaterThan(FRAMES / 100);
  });

  it('come through the codec of the RDM6300: every tag told has its check sum', () => {
    const roll = dice(6_300);
    const stream = new Rdm6300FrameStream();
    const frame = Buffer.from('\x0262E3086CED08\x03', 'latin1');
    let [whole, other] = [0, 0];
    let before = '';
    for (let count = 0; count < FRAMES; count++) {
      const sent = spoilt(frame, roll);
      const line = before + sent.toString('latin1');
      before = line.slice(-20);
      for (const tag of stream.take(sent)) {
        const sum = tag.reduce((all, byte) => all ^ byte, 0);
        const told = Buffer.from([...tag, sum]).toString('hex');
        if (!line.toLowerCase().includes(told)) throw new Error(`made up after ${count} frames`);
        if (told === '62e3086ced08') whole++;
        else other++;
      }
    }
    expect(whole).toBeGreaterThan(FRAMES / 10);
    expect(other).toBeLessThan(FRAMES / 1_000);
  });

  it('come through both sides of a phone: the reader believes the one right answer, the phone signs whole questions', () => {
    const roll = dice(14_443);
    const publicKey = new Uint8Array(32).fill(1);
    let signed = 0;
    // Stands for Ed25519, which would take minutes.
    const mark = (message: Uint8Array): Buffer => {
      const sum = Buffer.alloc(64);
      sum.writeUInt32BE(crc32(message));
      return sum;
    };
    const sign = (message: Uint8Array): Uint8Array => {
      signed++;
      return mark(message);
    };
    const verify = (_key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean =>
      mark(message).equals(signature);
    const key: PhoneKey = { publicKey, sign };
    const reader = { organization_id: 'org_1', device_id: 'dev_1' };
    const question = { challenge: new Uint8Array(32).fill(9), reader };
    const select = askPhone(question);
    const outcomes = new Map<ReaderStep['type'], number>();
    for (let frames = 0; frames < FRAMES; ) {
      let side: PhoneSide = 'idle';
      let step: ReaderStep = select;
      while (step.type === 'send') {
        const apdu = roll(8) === 0 ? spoilt(Buffer.from(step.apdu), roll) : step.apdu;
        const { state, response } = answerReader(side, apdu, () => key);
        side = state;
        const heard = roll(4) === 0 ? spoilt(Buffer.from(response), roll) : response;
        step = hearPhone(step.state, heard, monotonic(0), verify);
        frames += 2;
      }
      outcomes.set(step.type, (outcomes.get(step.type) ?? 0) + 1);
      if (step.type === 'proven' && step.public_key !== Buffer.from(publicKey).toString('base64url'))
        throw new Error(`another key was believed after ${frames} frames`);
    }
    expect([...outcomes.keys()].sort()).toEqual(['failed', 'no_phone', 'proven']);
    expect(signed).toBeGreaterThan(FRAMES / 10);
  });
});

it('ten megabytes of garbage are read in well under a second by each', () => {
  const roll = dice(10_000_000);
  const garbage = Uint8Array.from({ length: 2 ** 20 }, () => roll(256));
  for (const stream of [new Pn532FrameStream(), new Rdm6300FrameStream()]) {
    const worked = processorTime();
    for (let megabyte = 0; megabyte < 10; megabyte++)
      for (let at = 0; at < garbage.length; at += 4_096) stream.take(garbage.subarray(at, at + 4_096));
    expect(worked()).toBeLessThan(1_000);
  }
});
