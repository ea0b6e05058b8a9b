import { PassThrough } from 'node:stream';
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { defaultBrokerLimits } from './broker-limits.ts';
import { FlushQueue } from './broker-stream-flush-queue.ts';
import { BrokerConnectionStream } from './broker-connection-stream.ts';
import { encodePublishHeader } from './publish-and-puback-packets.ts';

/** A stream that has written a message in this turn. */
const writtenStream = (queue: FlushQueue) => {
  const socket = new PassThrough();
  const stream = new BrokerConnectionStream(socket as unknown as Socket, defaultBrokerLimits, queue, () => 0);
  stream.send(encodePublishHeader('a', 1, 0), Uint8Array.of(1), 0);
  return { isFlushed: () => socket.writableCorked === 0 };
};

describe('FlushQueue', () => {
  it('flushes the streams of its own broker and not those of another', () => {
    const [first, second] = [new FlushQueue(), new FlushQueue()];
    const [mine, other] = [writtenStream(first), writtenStream(second)];
    first.flush();
    expect([mine.isFlushed(), other.isFlushed()]).toEqual([true, false]);
    second.flush();
    expect(other.isFlushed()).toBe(true);
  });

  it('flushes all streams at the end of the turn', async () => {
    const queue = new FlushQueue();
    const streams = [writtenStream(queue), writtenStream(queue)];
    expect(streams.map(stream => stream.isFlushed())).toEqual([false, false]);
    await new Promise(resolve => {
      setImmediate(resolve);
    });
    expect(streams.map(stream => stream.isFlushed())).toEqual([true, true]);
  });
});
