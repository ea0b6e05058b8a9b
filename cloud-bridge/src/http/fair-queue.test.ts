import { describe, expect, it } from 'vitest';
import { FairQueue, type FairQueueLimits } from './fair-queue.ts';

/** A queue whose requests run until they are ended, with manual turns of the event loop. */
const setUp = (limits: Partial<FairQueueLimits> = {}) => {
  const turns: (() => void)[] = [];
  const clock = { now: 0 };
  const started: string[] = [];
  const rejected: string[] = [];
  const ends = new Map<string, () => void>();
  const queue = new FairQueue(
    { maxRunning: 2, startsPerTurn: 2, maxWaiting: 100, maxWaitMs: 1000, ...limits },
    { monotonic: () => clock.now, nextTurn: work => turns.push(work) },
  );
  const settle = async (): Promise<void> => {
    for (let step = 0; step < 20; step++) await Promise.resolve();
  };
  return {
    clock,
    started,
    rejected,
    request: async (name: string): Promise<void> => {
      const work = () => {
        started.push(name);
        return new Promise<void>(end => ends.set(name, end));
      };
      queue.run(name[0]!, work).catch((error: Error) => rejected.push(`${name}: ${error.message}`));
      await settle();
    },
    end: async (name: string): Promise<void> => {
      ends.get(name)!();
      await settle();
    },
    turn: async (): Promise<void> => {
      for (const work of turns.splice(0)) work();
      await settle();
    },
  };
};

describe('FairQueue', () => {
  it('starts requests at once while there are few', async () => {
    const { request, started } = setUp();
    await request('a1');
    await request('b1');
    expect(started).toEqual(['a1', 'b1']);
  });

  it('starts no more requests in a turn than its limit', async () => {
    const { request, started, turn } = setUp({ maxRunning: 100 });
    for (let n = 1; n <= 5; n++) await request(`a${n}`);
    expect(started).toEqual(['a1', 'a2']);
    await turn();
    expect(started).toEqual(['a1', 'a2', 'a3', 'a4']);
    await turn();
    expect(started).toEqual(['a1', 'a2', 'a3', 'a4', 'a5']);
  });

  it('runs no more requests at the same time than its limit', async () => {
    const { request, started, turn, end } = setUp({ startsPerTurn: 100 });
    for (let n = 1; n <= 4; n++) await request(`a${n}`);
    await turn();
    expect(started).toEqual(['a1', 'a2']);
    await end('a2');
    await turn();
    expect(started).toEqual(['a1', 'a2', 'a3']);
  });

  it('serves organizations in turns, however many requests one of them has', async () => {
    const { request, started, turn, end } = setUp({ maxRunning: 1, startsPerTurn: 1 });
    for (let n = 1; n <= 50; n++) await request(`a${n}`);
    await request('b1');
    await request('c1');
    for (const running of ['a1', 'a2', 'b1', 'c1']) {
      await end(running);
      await turn();
    }
    expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3']);
  });

  it('rejects requests beyond the limit of their organization, and those that waited too long', async () => {
    const { request, started, rejected, turn, end, clock } = setUp({ maxRunning: 1, maxWaiting: 2 });
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1']) await request(name);
    expect(rejected).toEqual(['a4: The bridge has too many requests. Try again after 2 seconds.']);
    clock.now = 1001;
    await request('c1');
    await end('a1');
    for (let n = 0; n < 4; n++) await turn();
    await end('c1');
    await turn();
    expect(rejected.map(text => text.slice(0, 2))).toEqual(['a4', 'a2', 'b1', 'a3']);
    expect(started).toEqual(['a1', 'c1']);
  });

  it('goes on after a request that fails', async () => {
    const turns: (() => void)[] = [];
    const limits = { maxRunning: 1, startsPerTurn: 1, maxWaiting: 10, maxWaitMs: 1000 };
    const queue = new FairQueue(limits, { monotonic: () => 0, nextTurn: work => turns.push(work) });
    const failing = queue.run('a', () => Promise.reject(new Error('failed')));
    const next = queue.run('a', async () => 'served');
    await expect(failing).rejects.toThrow('failed');
    for (const work of turns.splice(0)) work();
    expect(await next).toBe('served');
  });
});
