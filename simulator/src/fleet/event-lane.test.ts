import type { EventId } from '@lintel/access-core/ids';
import { instant } from '@lintel/access-core/instant';
import { describe, expect, it } from 'vitest';
import { EventLane } from './event-lane.ts';

const event = (name: string) => ({
  id: `evt_${name}` as EventId,
  kind: 'use' as const,
  occurred_at: instant(0),
  time_trusted: true,
});

const laneWith = (...names: readonly string[]): EventLane => {
  const lane = new EventLane();
  for (const name of names) lane.add(event(name), 10);
  return lane;
};

const sequences = (lane: EventLane, now = 0): number[] => lane.batch(now).map(({ sequence }) => sequence);

describe('fleet event queue', () => {
  it('holds new events until the current batch is acknowledged', () => {
    const lane = laneWith('a', 'b');
    expect(sequences(lane)).toEqual([1, 2]);
    lane.add(event('c'), 11);
    expect(sequences(lane)).toEqual([1, 2]);
    expect(lane.acknowledged({ v: 1, up_to: 2, event_ids: [] })).toEqual([10, 10]);
    expect(sequences(lane)).toEqual([3]);
  });

  it('acknowledges events beyond a gap one by one', () => {
    const lane = laneWith('a', 'b', 'c');
    lane.batch(0);
    expect(lane.acknowledged({ v: 1, up_to: 0, event_ids: ['evt_b' as EventId] })).toHaveLength(1);
    expect(lane.batch(1).map(({ id }) => id)).toEqual(['evt_a', 'evt_c']);
    expect(lane.size).toBe(2);
  });

  it('continues a new run at the sequence number of the bridge', () => {
    const lane = laneWith('a');
    lane.batch(0);
    lane.acknowledged({ v: 1, up_to: 57, event_ids: [] });
    lane.add(event('b'), 12);
    expect(sequences(lane)).toEqual([58]);
  });

  it('sends an unanswered batch again unchanged after a timeout', () => {
    const lane = laneWith('a');
    const first = lane.batch(100);
    expect(lane.isLate(100 + 5000, 5000)).toBe(false);
    expect(lane.isLate(100 + 5001, 5000)).toBe(true);
    expect(lane.batch(6000)).toEqual(first);
    expect(lane.isLate(6001, 5000)).toBe(false);
  });
});
