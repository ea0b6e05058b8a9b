import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { guardTimerWork, repeatEvery } from './repeating-timer.ts';

describe('guardTimerWork', () => {
  it('reports an error instead of throwing it, once for a series of equal errors', () => {
    const reported: unknown[] = [];
    let error: Error | null = new Error('EMFILE');
    const run = guardTimerWork(
      () => {
        if (error !== null) throw error;
      },
      caught => reported.push(String(caught)),
    );
    run();
    run();
    error = new Error('EIO');
    run();
    error = null;
    run();
    error = new Error('EIO');
    run();
    expect(reported).toEqual(['Error: EMFILE', 'Error: EIO', 'Error: EIO']);
  });

  it('reports a rejected promise', async () => {
    const reported: unknown[] = [];
    guardTimerWork(
      () => Promise.reject(new Error('EMFILE')),
      error => reported.push(String(error)),
    )();
    await setImmediate();
    expect(reported).toEqual(['Error: EMFILE']);
  });
});

describe('repeatEvery', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('continues after an error and ends when it is stopped', () => {
    let runs = 0;
    const stop = repeatEvery(
      100,
      () => {
        runs += 1;
        throw new Error('EMFILE');
      },
      () => undefined,
    );
    vi.advanceTimersByTime(350);
    expect(runs).toBe(3);
    stop();
    vi.advanceTimersByTime(1000);
    expect(runs).toBe(3);
  });
});
