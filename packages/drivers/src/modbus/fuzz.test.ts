import { ModbusRtuResponseFinder } from './frame.ts';
import { describe, expect, it } from 'vitest';
import { damageFrame, FRAMES, garbage, GARBAGE_PIECES, LONG_RUN_MS } from '@lintel/test/support/fuzz-frames';
import { SeededRandom } from '@lintel/test/support/seeded-random';
import { runSeed } from '@lintel/test/support/test-iterations-and-seed';

const random = new SeededRandom(runSeed());

describe('ModbusRtuResponseFinder', { timeout: LONG_RUN_MS }, () => {
  it('reports an answer only with the expected address, function code and CRC', () => {
    const request = Buffer.from('0101000000083dcc', 'hex');
    const good = Buffer.from('01010105918b', 'hex');
    let found = 0;
    for (let frame = 0; frame < FRAMES; frame++) {
      const bytes = damageFrame(good, random);
      const answer = new ModbusRtuResponseFinder(request).take(bytes);
      if (answer === null) continue;
      if (!bytes.includes(answer) || answer[0] !== 1 || (answer[1]! & 0x7f) !== 1)
        throw new Error(bytes.toString('hex'));
      found++;
    }
    expect(found).toBeGreaterThan(FRAMES / 6);
    expect(found).toBeLessThan(FRAMES * 0.6);
  });

  it('finds the answer after random bytes, within the length of one answer', () => {
    const finder = new ModbusRtuResponseFinder(Buffer.from('0101000000083dcc', 'hex'));
    const answer = Buffer.from('01010105918b', 'hex');
    for (let piece = 0; piece < GARBAGE_PIECES; piece++) finder.take(Buffer.from(garbage(random)));
    expect([finder.take(answer), finder.take(answer)]).toContainEqual(answer);
  });
});
