import { crc32 } from 'node:zlib';
import { monotonic } from '@lintel/access-core/monotonic-time';
import { parsePn532Target } from '../../../packages/drivers/src/readers/pn532/pn532-commands.ts';
import { Pn532FrameStream } from '../../../packages/drivers/src/readers/pn532/pn532-frame.ts';
import { Rdm6300FrameStream } from '../../../packages/drivers/src/readers/rdm6300/rdm6300-frame.ts';
import {
  respondToNfcReader,
  type PhoneKey,
  type NfcPhoneSelectionState,
} from '@lintel/wire-protocol/phone/nfc-phone-responder';
import {
  beginNfcPhoneAuthentication,
  continueNfcPhoneAuthentication,
  type NfcPhoneAuthenticationStep,
} from '@lintel/wire-protocol/phone/nfc-phone-authentication';
import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../../bench/decide-fixture/seeded-random.ts';
import { iterations, runSeed } from '../../support/test-iterations-and-seed.ts';

const FRAMES = iterations({ sample: 20_000, all: 1_000_000 });
const GARBAGE_PIECES = iterations({ sample: 64, all: 2_560 });
const LONG_RUN_MS = 600_000;

const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(' ', ''), 'hex');

/** Truncates the frame, extends it, puts noise before it, changes a few of its bytes, or returns it unchanged. */
const damaged = (frame: Buffer, random: SeededRandom): Buffer => {
  const copy = Buffer.from(frame);
  switch (random.below(6)) {
    case 0:
      return copy.subarray(0, random.below(copy.length));
    case 1:
      return Buffer.concat([copy, Buffer.alloc(random.below(300), random.below(256))]);
    case 2:
      return Buffer.concat([Buffer.from(Array.from({ length: random.below(12) }, () => random.below(256))), copy]);
    case 3:
      return copy;
    default:
      for (let times = random.below(4); times >= 0; times--) copy[random.below(copy.length)] = random.below(256);
      return copy;
  }
};

/** 4 KiB of random bytes at a time. */
const garbage = (random: SeededRandom): Uint8Array => Uint8Array.from({ length: 4_096 }, () => random.below(256));

const shortAnswer = bytes('00 00 ff 06 fa d5 03 32 01 06 07 e8 00');

const pn532Frames = [
  bytes('00 00 ff 00 ff 00'),
  bytes('00 00 ff ff 00 00'),
  bytes('00 00 ff 01 ff 7f 81 00'),
  shortAnswer,
  bytes('00 00 ff 0c f4 d5 4b 01 01 00 04 08 04 00 a1 b2 c3 b8 00'),
];

const longFrame = Buffer.concat([
  bytes('00 00 ff ff ff 01 09 f6 d5 41'),
  Buffer.alloc(263, 7),
  Buffer.of(-(0xd5 + 0x41 + 263 * 7) & 0xff, 0),
]);

describe('Pn532FrameStream', () => {
  it(
    'reports only answers that were on the line when most frames are damaged',
    () => {
      const random = new SeededRandom(runSeed());
      const stream = new Pn532FrameStream();
      const frames = [...pn532Frames, longFrame];
      const seen = { answers: 0, broken: 0, targets: 0 };
      let before: Buffer = Buffer.alloc(0);
      for (let count = 0; count < FRAMES; count++) {
        const sent = damaged(frames[random.below(random.below(50) === 0 ? 6 : 5)]!, random);
        for (const frame of stream.take(sent)) {
          if (frame.type === 'broken') seen.broken++;
          if (frame.type !== 'answer') continue;
          seen.answers++;
          if (parsePn532Target(frame.data) !== null) seen.targets++;
          const reported = Buffer.concat([Buffer.of(0xd5, frame.code), frame.data]);
          if (!Buffer.concat([before, sent]).includes(reported)) throw new Error(`not on the line: frame ${count}`);
        }
        before = Buffer.concat([before, sent]).subarray(-600);
      }
      expect(seen.answers).toBeGreaterThan(FRAMES / 20);
      expect(seen.targets).toBeGreaterThan(FRAMES / 50);
      expect(seen.broken).toBeGreaterThan(FRAMES / 100);
    },
    LONG_RUN_MS,
  );

  it('finds an answer within the length of one frame after random bytes', () => {
    const random = new SeededRandom(runSeed());
    const stream = new Pn532FrameStream();
    for (let piece = 0; piece < GARBAGE_PIECES; piece++) stream.take(garbage(random));
    // A frame that seems to have begun covers at most 273 bytes.
    const tries = Math.ceil(273 / shortAnswer.length) + 1;
    const found = Array.from({ length: tries }, () => stream.take(shortAnswer)).flat();
    expect(found.filter(({ type }) => type === 'answer')).not.toEqual([]);
  });
});

describe('Rdm6300FrameStream', () => {
  const frame = Buffer.from('\x0262E3086CED08\x03', 'latin1');

  it(
    'reports only tags that were on the line with their checksum when most frames are damaged',
    () => {
      const random = new SeededRandom(runSeed());
      const stream = new Rdm6300FrameStream();
      let [intact, other] = [0, 0];
      let before = '';
      for (let count = 0; count < FRAMES; count++) {
        const sent = damaged(frame, random);
        const line = before + sent.toString('latin1');
        before = line.slice(-20);
        for (const tag of stream.take(sent)) {
          const sum = tag.reduce((all, byte) => all ^ byte, 0);
          const reported = Buffer.from([...tag, sum]).toString('hex');
          if (!line.toLowerCase().includes(reported)) throw new Error(`not on the line: frame ${count}`);
          if (reported === '62e3086ced08') intact++;
          else other++;
        }
      }
      expect(intact).toBeGreaterThan(FRAMES / 10);
      expect(other).toBeLessThan(FRAMES / 1_000);
    },
    LONG_RUN_MS,
  );

  it('reads the first tag after random bytes', () => {
    const random = new SeededRandom(runSeed());
    const stream = new Rdm6300FrameStream();
    for (let piece = 0; piece < GARBAGE_PIECES; piece++) stream.take(garbage(random));
    expect(stream.take(frame)).toEqual([Uint8Array.from(bytes('62e3086ced'))]);
  });
});

describe('Phone authentication', () => {
  it(
    'accepts only the correct key when APDUs are damaged on both sides',
    () => {
      const random = new SeededRandom(runSeed());
      const publicKey = new Uint8Array(32).fill(1);
      let signed = 0;
      // In place of Ed25519, which would take minutes.
      const signatureOf = (message: Uint8Array): Buffer => {
        const sum = Buffer.alloc(64);
        sum.writeUInt32BE(crc32(message));
        return sum;
      };
      const sign = (message: Uint8Array): Uint8Array => {
        signed++;
        return signatureOf(message);
      };
      const verify = (_key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean =>
        signatureOf(message).equals(signature);
      const key: PhoneKey = { publicKey, sign };
      const reader = { organization_id: 'org_1', device_id: 'dev_1' };
      const question = { challenge: new Uint8Array(32).fill(9), reader };
      const select = beginNfcPhoneAuthentication(question);
      const outcomes = new Map<NfcPhoneAuthenticationStep['type'], number>();
      for (let frames = 0; frames < FRAMES; ) {
        let side: NfcPhoneSelectionState = 'idle';
        let step: NfcPhoneAuthenticationStep = select;
        while (step.type === 'send') {
          const apdu = random.below(8) === 0 ? damaged(Buffer.from(step.apdu), random) : step.apdu;
          const { state, response } = respondToNfcReader(side, apdu, () => key);
          side = state;
          const received = random.below(4) === 0 ? damaged(Buffer.from(response), random) : response;
          step = continueNfcPhoneAuthentication(step.state, received, monotonic(0), verify);
          frames += 2;
        }
        outcomes.set(step.type, (outcomes.get(step.type) ?? 0) + 1);
        if (step.type === 'proven' && step.public_key !== Buffer.from(publicKey).toString('base64url'))
          throw new Error(`another key was accepted after ${frames} frames`);
      }
      expect([...outcomes.keys()].sort()).toEqual(['failed', 'no_phone', 'proven']);
      expect(signed).toBeGreaterThan(FRAMES / 10);
    },
    LONG_RUN_MS,
  );
});
