import { parsePn532Target } from './chip.ts';
import { Pn532FrameStream } from './frame.ts';
import { describe, expect, it } from 'vitest';
import { damageFrame, FRAMES, garbage, GARBAGE_PIECES, LONG_RUN_MS } from '@lintel/test/support/fuzz-frames';
import { SeededRandom } from '@lintel/test/support/seeded-random';
import { runSeed } from '@lintel/test/support/test-iterations-and-seed';

const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(' ', ''), 'hex');

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
        const sent = damageFrame(frames[random.below(random.below(50) === 0 ? 6 : 5)]!, random);
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
