import { decodeGpioLineEvents } from './gpio-abi.ts';
import { describe, expect, it } from 'vitest';
import { damageFrame, FRAMES, LONG_RUN_MS } from '@lintel/test/support/fuzz-frames';
import { SeededRandom } from '@lintel/test/support/seeded-random';
import { runSeed } from '@lintel/test/support/test-iterations-and-seed';

const random = new SeededRandom(runSeed());

describe('decodeGpioLineEvents', { timeout: LONG_RUN_MS }, () => {
  it('reports complete edges only', () => {
    const good = Buffer.alloc(96);
    good.writeUInt32LE(1, 8);
    good.writeUInt32LE(2, 56);
    let edges = 0;
    for (let frame = 0; frame < FRAMES; frame++) {
      const bytes = damageFrame(good, random);
      const found = decodeGpioLineEvents(bytes);
      if (found.length > bytes.length / 48) throw new Error(`${found.length} edges in ${bytes.length} bytes`);
      edges += found.length;
    }
    expect(edges).toBeGreaterThan(FRAMES);
  });
});
