import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { BatchedLoader } from './batched-loader.ts';

describe('BatchedLoader', () => {
  it('loads what is requested in one turn at once, and each key once', async () => {
    const loaded: (readonly string[])[] = [];
    const loader = new BatchedLoader(async keys => {
      loaded.push(keys);
      return new Map(keys.map(key => [key, key.toUpperCase()]));
    });
    const values = Promise.all(['a', 'b', 'a'].map(key => loader.load(key)));
    expect(await values).toEqual(['A', 'B', 'A']);
    await nextTurn();
    expect(await loader.load('a')).toBe('A');
    expect(loaded).toEqual([['a', 'b'], ['a']]);
  });

  it('loads again for a request that arrives while an earlier one is loaded', async () => {
    let revision = 0;
    const { promise: isLoading, resolve: setLoading } = Promise.withResolvers<void>();
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    const loader = new BatchedLoader(async keys => {
      const read = revision;
      setLoading();
      await isReleased;
      return new Map(keys.map(key => [key, read]));
    });
    const before = loader.load('a');
    await isLoading;
    revision = 1;
    const after = loader.load('a');
    release();
    expect([await before, await after]).toEqual([0, 1]);
  });

  it('reports a missing key as undefined, and an error to everyone who waits', async () => {
    const loader = new BatchedLoader<number>(async keys => {
      if (keys.includes('bad')) throw new Error('The database is away');
      return new Map();
    });
    expect(await loader.load('a')).toBeUndefined();
    const results = await Promise.allSettled([loader.load('a'), loader.load('bad')]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await loader.load('a')).toBeUndefined();
  });
});
