import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PeriodicTask } from './periodic-task.ts';

describe('a periodic task', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('runs at its start and then after every interval, until it is stopped', async () => {
    let runs = 0;
    const task = new PeriodicTask(
      async () => {
        runs += 1;
      },
      1000,
      () => undefined,
    );
    task.start();
    await vi.advanceTimersByTimeAsync(0);
    expect(runs).toBe(1);
    await vi.advanceTimersByTimeAsync(2500);
    expect(runs).toBe(3);
    await task.stop();
    await vi.advanceTimersByTimeAsync(5000);
    expect(runs).toBe(3);
  });

  it('goes on after a failure, which it tells', async () => {
    const told: unknown[] = [];
    const task = new PeriodicTask(
      () => Promise.reject(new Error('no database')),
      1000,
      error => told.push(error),
    );
    task.start();
    await vi.advanceTimersByTimeAsync(1000);
    expect(told).toEqual([new Error('no database'), new Error('no database')]);
    await task.stop();
  });

  it('never runs beside itself, and its stop waits for the run that is under way', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let runs = 0;
    let stopped = false;
    const task = new PeriodicTask(
      () => {
        runs += 1;
        return promise;
      },
      1000,
      () => undefined,
    );
    task.start();
    await vi.advanceTimersByTimeAsync(5000);
    expect(runs).toBe(1);
    const stop = (async () => {
      await task.stop();
      stopped = true;
    })();
    await vi.advanceTimersByTimeAsync(5000);
    expect(stopped).toBe(false);
    resolve();
    await stop;
    await vi.advanceTimersByTimeAsync(5000);
    expect(runs).toBe(1);
  });
});
