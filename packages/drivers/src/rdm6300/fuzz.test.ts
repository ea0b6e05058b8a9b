import { Rdm6300FrameStream } from './reader.ts';
import { describe, expect, it } from 'vitest';
import { damageFrame, FRAMES, garbage, GARBAGE_PIECES, LONG_RUN_MS } from '@lintel/test/support/fuzz-frames';
import { SeededRandom } from '@lintel/test/support/seeded-random';
import { runSeed } from '@lintel/test/support/test-iterations-and-seed';

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
        const sent = damageFrame(frame, random);
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
    expect(stream.take(frame)).toEqual([Uint8Array.from(Buffer.from('62e3086ced', 'hex'))]);
  });
});
