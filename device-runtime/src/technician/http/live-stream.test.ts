import { EventEmitter, once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { LiveFeed } from '../../live/live-feed.ts';
import { streamLiveMessages } from './live-stream.ts';

let server: Server | null = null;
afterEach(() => {
  vi.useRealTimers();
  server?.close();
  server?.closeAllConnections();
});

const watch = async (feed: LiveFeed, remainingMs = () => 3_600_000) => {
  const onEnd = vi.fn<() => void>();
  const session = new EventEmitter();
  const onSessionEnd = (tell: () => void) => {
    session.on('end', tell);
    return () => void session.off('end', tell);
  };
  server = createServer((_, response) => streamLiveMessages(feed, response, { remainingMs, onSessionEnd, onEnd }));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const asked = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  answer.on('error', () => undefined);
  return { ended: onEnd, answer, session };
};

describe('live stream', () => {
  it('disconnects a viewer that does not keep up, and the door keeps working', async () => {
    const feed = new LiveFeed();
    const { ended, answer } = await watch(feed);
    answer.pause();
    await vi.waitFor(
      () => {
        for (let index = 0; index < 500; index++) feed.input(`${'line'.repeat(100)}${index}`, 'active');
        expect(ended).toHaveBeenCalledTimes(1);
      },
      { timeout: 60_000, interval: 1 },
    );
    expect(feed.hasListeners).toBe(false);
  });

  it('disconnects a viewer at once when more than a thousand updates would be buffered', async () => {
    const feed = new LiveFeed();
    const { ended } = await watch(feed);
    for (let index = 0; index < 1_100; index++) feed.input('contact', 'active');
    await expect.poll(() => ended).toHaveBeenCalledTimes(1);
    expect(feed.hasListeners).toBe(false);
  });

  it('ends together with its session', async () => {
    const feed = new LiveFeed();
    const { ended, session } = await watch(feed);
    session.emit('end');
    expect([ended.mock.calls.length, feed.hasListeners, session.listenerCount('end')]).toEqual([1, false, 0]);
  });

  it('ends exactly when the session expires, not at the next heartbeat', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const feed = new LiveFeed();
    let left = 16_000;
    const { ended } = await watch(feed, () => left);
    left = 1_000;
    vi.advanceTimersByTime(15_000);
    expect(ended).not.toHaveBeenCalled();
    left = 0;
    vi.advanceTimersByTime(1_000);
    expect([ended.mock.calls.length, feed.hasListeners]).toEqual([1, false]);
  });

  it('ends when the viewer disconnects', async () => {
    const feed = new LiveFeed();
    const { ended, answer } = await watch(feed);
    answer.destroy();
    await expect.poll(() => [ended.mock.calls.length, feed.hasListeners]).toEqual([1, false]);
  });

  it('does not disturb the door when a viewer throws', () => {
    const feed = new LiveFeed();
    const heard: string[] = [];
    feed.listen(() => {
      throw new Error('an onlooker fell over');
    });
    feed.listen(({ type }) => void heard.push(type));
    expect(() => feed.input('contact', 'active')).not.toThrow();
    expect(heard).toEqual(['input']);
  });
});
