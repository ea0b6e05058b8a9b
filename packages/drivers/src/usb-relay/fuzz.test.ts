import { LcusResponseParser } from './board.ts';
import { describe, expect, it } from 'vitest';
import { damageFrame, FRAMES, garbage, GARBAGE_PIECES, LONG_RUN_MS } from '@lintel/test/support/fuzz-frames';
import { SeededRandom } from '@lintel/test/support/seeded-random';
import { runSeed } from '@lintel/test/support/test-iterations-and-seed';

const random = new SeededRandom(runSeed());

describe('LcusResponseParser', { timeout: LONG_RUN_MS }, () => {
  it('reports only answers with a valid checksum', () => {
    const good = Buffer.from('a00101a2', 'hex');
    const answers = new LcusResponseParser();
    let found = 0;
    for (let frame = 0; frame < FRAMES; frame++)
      for (const { channel } of answers.take(damageFrame(good, random))) {
        if (channel === 0 || channel > 255) throw new Error(`channel ${channel}`);
        found++;
      }
    expect(found).toBeGreaterThan(FRAMES / 6);
  });

  it('finds the first answer after random bytes', () => {
    const answers = new LcusResponseParser();
    for (let piece = 0; piece < GARBAGE_PIECES; piece++) answers.take(garbage(random));
    // Three bytes may be left over, and one frame may complete an answer with them.
    expect([
      ...answers.take(Buffer.from('a00201a3', 'hex')),
      ...answers.take(Buffer.from('a00201a3', 'hex')),
    ]).toContainEqual({
      channel: 2,
      on: true,
    });
  });
});
