import type { EventId } from '@lintel/access-core/ids';
import { instant } from '@lintel/access-core/instant';
import { expect, test } from 'vitest';
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

test('what comes while a batch is under way waits for the acknowledgement of that batch', () => {
  const lane = laneWith('a', 'b');
  expect(sequences(lane)).toEqual([1, 2]);
  lane.add(event('c'), 11);
  expect(sequences(lane)).toEqual([1, 2]);
  expect(lane.acknowledged({ v: 1, up_to: 2, event_ids: [] })).toEqual([10, 10]);
  expect(sequences(lane)).toEqual([3]);
});

test('an acknowledgement names events beyond a gap one by one, and the others stay', () => {
  const lane = laneWith('a', 'b', 'c');
  lane.batch(0);
  expect(lane.acknowledged({ v: 1, up_to: 0, event_ids: ['evt_b' as EventId] })).toHaveLength(1);
  expect(lane.batch(1).map(({ id }) => id)).toEqual(['evt_a', 'evt_c']);
  expect(lane.size).toBe(2);
});

test('a new run counts on from where the bridge says the last one came', () => {
  const lane = laneWith('a');
  lane.batch(0);
  lane.acknowledged({ v: 1, up_to: 57, event_ids: [] });
  lane.add(event('b'), 12);
  expect(sequences(lane)).toEqual([58]);
});

test('a batch without an answer is late after a while, and is sent again as it was', () => {
  const lane = laneWith('a');
  const first = lane.batch(100);
  expect(lane.isLate(100 + 5000, 5000)).toBe(false);
  expect(lane.isLate(100 + 5001, 5000)).toBe(true);
  expect(lane.batch(6000)).toEqual(first);
  expect(lane.isLate(6001, 5000)).toBe(false);
});
