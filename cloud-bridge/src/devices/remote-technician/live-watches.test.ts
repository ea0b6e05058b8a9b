import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LiveWatches } from './live-watches.ts';

const DEVICE = 'dev_1';

let watches: LiveWatches;
let seen: unknown[];
let lost: number;
let reachable: string | null;
let wishes: number;
beforeEach(() => {
  vi.useFakeTimers();
  watches = new LiveWatches();
  seen = [];
  lost = 0;
  wishes = 0;
  reachable = 'nonce';
});
afterEach(() => {
  watches.close();
  vi.useRealTimers();
});

const onlooker = () => ({ happened: (one: unknown) => void seen.push(one), lost: () => void lost++ });
const wish = async () => {
  wishes++;
  return reachable;
};
const liveMessage = (first: number, types: readonly string[], session_nonce = 'nonce') =>
  watches.happened(DEVICE, { v: 1, session_nonce, first, happenings: types.map(type => ({ type })) });

describe('LiveWatches', () => {
  it('sends everything once to each viewer', async () => {
    await watches.begin(DEVICE, onlooker(), wish);
    await watches.begin(DEVICE, onlooker(), wish);
    expect(wishes).toBe(1);
    liveMessage(1, ['key', 'card']);
    liveMessage(1, ['key', 'card']);
    expect(seen).toHaveLength(4);
  });

  it('ignores messages of another session', async () => {
    await watches.begin(DEVICE, onlooker(), wish);
    liveMessage(1, ['key'], 'earlier');
    expect(seen).toEqual([]);
  });

  it('restarts the count with a new session', async () => {
    await watches.begin(DEVICE, onlooker(), wish);
    liveMessage(50, ['key']);
    reachable = 'next';
    await vi.advanceTimersByTimeAsync(20_000);
    liveMessage(1, ['card'], 'next');
    expect(seen).toEqual([{ type: 'key' }, { type: 'card' }]);
  });

  it('reports an unreachable controller at the start and later', async () => {
    reachable = null;
    expect(await watches.begin(DEVICE, onlooker(), wish)).toBe(false);
    reachable = 'nonce';
    expect(await watches.begin(DEVICE, onlooker(), wish)).toBe(true);
    const before = lost;
    reachable = null;
    await vi.advanceTimersByTimeAsync(20_000);
    expect(lost - before).toBe(1);
  });

  it('stops the requests when the last viewer has left', async () => {
    const only = onlooker();
    await watches.begin(DEVICE, only, wish);
    watches.end(DEVICE, only);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(wishes).toBe(1);
  });
});
