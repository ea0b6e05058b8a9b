import { monotonic } from '@lintel/access-core/monotonic-time';
import { decodeAsciiKeys, defaultAsciiKeyMap, initialAsciiKeyState } from './decode-ascii-keys.ts';
import { describe, expect, it } from 'vitest';
import { damageFrame, FRAMES, LONG_RUN_MS } from '@lintel/test/support/fuzz-frames';
import { SeededRandom } from '@lintel/test/support/seeded-random';
import { runSeed } from '@lintel/test/support/test-iterations-and-seed';

const random = new SeededRandom(runSeed());

describe('decodeAsciiKeys', { timeout: LONG_RUN_MS }, () => {
  it('reports no key from bytes that contain anything else', () => {
    const good = Buffer.from('2580#');
    let state = initialAsciiKeyState;
    let keys = 0;
    for (let frame = 0, now = 0; frame < FRAMES; frame++, now += random.below(2_000)) {
      const bytes = damageFrame(good, random);
      const step = decodeAsciiKeys(defaultAsciiKeyMap, state, bytes, monotonic(now));
      state = step.state;
      // A to D are keys without a function.
      if (step.keys.length > 0 && /[^0-9*#A-D\r\n]/i.test(bytes.toString('latin1')))
        throw new Error(bytes.toString('hex'));
      keys += step.keys.length;
    }
    expect(keys).toBeGreaterThan(FRAMES / 6);
  });
});
