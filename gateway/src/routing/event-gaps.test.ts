import type { DeviceId } from '@lintel/access-core/ids';
import { describe, expect, it } from 'vitest';
import { EventGaps } from './event-gaps.ts';

const device = 'dev_1' as DeviceId;

describe('EventGaps', () => {
  it('rejects later events until the missing ones arrive', () => {
    const gaps = new EventGaps();
    gaps.add(device, 7);
    gaps.add(device, 9);
    expect([8, 7, 3].map(sequence => gaps.canAccept(device, sequence))).toEqual([false, true, true]);
    gaps.clear(device);
    expect([gaps.has(device), gaps.canAccept(device, 100)]).toEqual([false, true]);
  });

  it('closes a gap when the bridge has the events by another route', () => {
    const gaps = new EventGaps();
    gaps.add(device, 7);
    gaps.clearUpTo(device, 6);
    expect(gaps.has(device)).toBe(true);
    gaps.clearUpTo(device, 7);
    expect(gaps.has(device)).toBe(false);
  });

  it('does not affect other controllers', () => {
    const gaps = new EventGaps();
    gaps.add(device, 1);
    expect(gaps.canAccept('dev_2' as DeviceId, 5)).toBe(true);
  });
});
