import { PassThrough } from 'node:stream';
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { defaultLimits } from './broker-limits.ts';
import { FlushQueue } from './flush-queue.ts';
import { MessageLane } from './message-lane.ts';
import { publishHead } from './publish-packet.ts';

/** A lane that has written a message in this turn. */
const writtenLane = (queue: FlushQueue) => {
  const socket = new PassThrough();
  const lane = new MessageLane(socket as unknown as Socket, defaultLimits, queue, () => 0);
  lane.send(publishHead('a', 1, 0), Uint8Array.of(1), 0);
  return { isFlushed: () => socket.writableCorked === 0 };
};

describe('FlushQueue', () => {
  it('flushes the lanes of its own broker and not those of another', () => {
    const [first, second] = [new FlushQueue(), new FlushQueue()];
    const [mine, other] = [writtenLane(first), writtenLane(second)];
    first.flush();
    expect([mine.isFlushed(), other.isFlushed()]).toEqual([true, false]);
    second.flush();
    expect(other.isFlushed()).toBe(true);
  });

  it('flushes all lanes at the end of the turn', async () => {
    const queue = new FlushQueue();
    const lanes = [writtenLane(queue), writtenLane(queue)];
    expect(lanes.map(lane => lane.isFlushed())).toEqual([false, false]);
    await new Promise(resolve => {
      setImmediate(resolve);
    });
    expect(lanes.map(lane => lane.isFlushed())).toEqual([true, true]);
  });
});
