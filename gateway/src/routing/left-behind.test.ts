import type { DeviceId } from '@lintel/access-core/ids';
import { describe, expect, it } from 'vitest';
import { LeftBehind } from './left-behind.ts';

const device = 'dev_1' as DeviceId;

describe('events that were left with their controller', () => {
  it('keep back what is behind them until they come again', () => {
    const left = new LeftBehind();
    left.leave(device, 7);
    left.leave(device, 9);
    expect([left.mayCome(device, 8), left.mayCome(device, 7), left.mayCome(device, 3)]).toEqual([false, true, true]);
    left.came(device);
    expect([left.has(device), left.mayCome(device, 100)]).toEqual([false, true]);
  });

  it('keep nothing back when the bridge has them by another way', () => {
    const left = new LeftBehind();
    left.leave(device, 7);
    left.confirmed(device, 6);
    expect(left.has(device)).toBe(true);
    left.confirmed(device, 7);
    expect(left.has(device)).toBe(false);
  });

  it('are nobody else’s affair', () => {
    const left = new LeftBehind();
    left.leave(device, 1);
    expect(left.mayCome('dev_2' as DeviceId, 5)).toBe(true);
  });
});
