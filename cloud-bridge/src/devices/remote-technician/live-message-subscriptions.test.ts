import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LiveMessageSubscriptions } from './live-message-subscriptions.ts';

const DEVICE = 'dev_1';

let subscriptions: LiveMessageSubscriptions;
let seen: unknown[];
let ended: number;
let reachable: string | null;
let requests: number;
beforeEach(() => {
  vi.useFakeTimers();
  subscriptions = new LiveMessageSubscriptions();
  seen = [];
  ended = 0;
  requests = 0;
  reachable = 'nonce';
});
afterEach(() => {
  subscriptions.close();
  vi.useRealTimers();
});

const subscriber = () => ({ onMessage: (message: unknown) => void seen.push(message), onEnd: () => void ended++ });
const requestLive = async () => {
  requests++;
  return reachable;
};
const liveMessage = (first: number, types: readonly string[], session_nonce = 'nonce') =>
  subscriptions.receive(DEVICE, { v: 1, session_nonce, first, happenings: types.map(type => ({ type })) });

describe('LiveMessageSubscriptions', () => {
  it('sends everything once to each viewer', async () => {
    await subscriptions.add(DEVICE, subscriber(), requestLive);
    await subscriptions.add(DEVICE, subscriber(), requestLive);
    expect(requests).toBe(1);
    liveMessage(1, ['key', 'card']);
    liveMessage(1, ['key', 'card']);
    expect(seen).toHaveLength(4);
  });

  it('ignores messages of another session', async () => {
    await subscriptions.add(DEVICE, subscriber(), requestLive);
    liveMessage(1, ['key'], 'earlier');
    expect(seen).toEqual([]);
  });

  it('restarts the count with a new session', async () => {
    await subscriptions.add(DEVICE, subscriber(), requestLive);
    liveMessage(50, ['key']);
    reachable = 'next';
    await vi.advanceTimersByTimeAsync(20_000);
    liveMessage(1, ['card'], 'next');
    expect(seen).toEqual([{ type: 'key' }, { type: 'card' }]);
  });

  it('reports an unreachable controller at the start and later', async () => {
    reachable = null;
    expect(await subscriptions.add(DEVICE, subscriber(), requestLive)).toBe(false);
    reachable = 'nonce';
    expect(await subscriptions.add(DEVICE, subscriber(), requestLive)).toBe(true);
    const before = ended;
    reachable = null;
    await vi.advanceTimersByTimeAsync(20_000);
    expect(ended - before).toBe(1);
  });

  it('stops the requests when the last viewer has left', async () => {
    const only = subscriber();
    await subscriptions.add(DEVICE, only, requestLive);
    subscriptions.remove(DEVICE, only);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(requests).toBe(1);
  });
});
