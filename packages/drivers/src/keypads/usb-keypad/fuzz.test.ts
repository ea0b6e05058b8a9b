import { decodeInputEvents } from '../../evdev/input-event.ts';
import { decodeKeyPress, initialKeyCodeState } from './decode-key-press.ts';
import { describe, expect, it } from 'vitest';
import { damageFrame, FRAMES, LONG_RUN_MS } from '@lintel/test/support/fuzz-frames';
import { SeededRandom } from '@lintel/test/support/seeded-random';
import { runSeed } from '@lintel/test/support/test-iterations-and-seed';

const random = new SeededRandom(runSeed());

describe('decodeKeyPress', { timeout: LONG_RUN_MS }, () => {
  it('reports keys for press events only', () => {
    const good = Buffer.alloc(24);
    good.writeUInt16LE(1, 16);
    good.writeUInt16LE(79, 18);
    good.writeInt32LE(1, 20);
    let state = initialKeyCodeState;
    let keys = 0;
    for (let frame = 0; frame < FRAMES; frame++)
      for (const event of decodeInputEvents(damageFrame(good, random))) {
        const step = decodeKeyPress(state, event, new Map());
        state = step.state;
        if (step.key === null) continue;
        if (event.type !== 1 || event.value !== 1) throw new Error(JSON.stringify(event));
        keys++;
      }
    expect(keys).toBeGreaterThan(FRAMES / 6);
  });
});
