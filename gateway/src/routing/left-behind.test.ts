import type { DeviceId } from '@lintel/access-core/ids';
import { describe, expect, it } from 'vitest';
import { LeftBehind } from './left-behind.ts';

const device = 'dev_1' as DeviceId;

describe('events left with their controller', () => {
  it('hold back later events until they arrive', () => {
    const left = new LeftBehind();
    left.leave(device, 7);
    left.leave(device, 9);
    expect([left.mayCome(device, 8), left.mayCome(device, 7), left.mayCome(device, 3)]).toEqual([false, true, true]);
    left.came(device);
    expect([left.has(device), left.mayCome(device, 100)]).toEqual([false, true]);
  });

  it('hold back nothing when the bridge has them by another route', () => {
    const left = new LeftBehind();
    left.leave(device, 7);
    left.confirmed(device, 6);
    expect(left.has(device)).toBe(true);
    left.confirmed(device, 7);
    expect(left.has(device)).toBe(false);
  });

  it('do not affect other controllers', () => {
    const left = new LeftBehind();
    left.leave(device, 1);
    expect(left.mayCome('dev_2' as DeviceId, 5)).toBe(true);
  });
});
