import type { EventId } from '@lintel/access-core/ids';
import { instant } from '@lintel/access-core/instant';
import { describe, expect, it } from 'vitest';
import { FleetEventQueue } from './event-queue.ts';

const event = (name: string) => ({
  id: `evt_${name}` as EventId,
  kind: 'use' as const,
  occurred_at: instant(0),
  time_trusted: true,
});

const queueWith = (...names: readonly string[]) => {
  const committed: number[] = [];
  let resent = 0;
  const queue = new FleetEventQueue({ onCommitted: since => committed.push(...since), onResent: () => resent++ });
  for (const name of names) queue.add(event(name), 10);
  return { queue, committed, resent: () => resent };
};

const sequences = (queue: FleetEventQueue): number[] => queue.next(500).map(({ sequence }) => sequence);

describe('FleetEventQueue', () => {
  it('holds new events until the current batch is acknowledged', () => {
    const { queue, committed } = queueWith('a', 'b');
    expect(sequences(queue)).toEqual([1, 2]);
    queue.add(event('c'), 11);
    expect(sequences(queue)).toEqual([]);
    queue.acknowledged({ event_ids: ['evt_a', 'evt_b'] as EventId[] });
    expect(committed).toEqual([10, 10]);
    expect(sequences(queue)).toEqual([3]);
  });

  it('acknowledges events one by one, and sends the others again', () => {
    const { queue, committed } = queueWith('a', 'b', 'c');
    queue.next(500);
    queue.acknowledged({ event_ids: ['evt_b' as EventId] });
    expect(committed).toHaveLength(1);
    expect(queue.next(500).map(({ id }) => id)).toEqual(['evt_a', 'evt_c']);
    expect(queue.size).toBe(2);
  });

  it('sends an unacknowledged batch again unchanged', () => {
    const { queue, resent } = queueWith('a');
    queue.restart();
    const first = queue.next(500);
    expect(resent()).toBe(0);
    queue.restart();
    expect(resent()).toBe(1);
    expect(queue.next(500)).toEqual(first);
  });
});
