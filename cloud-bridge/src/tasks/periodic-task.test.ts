import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PeriodicTask } from './periodic-task.ts';
import { createLeaseOwnerId, hasLeaseOwnerEnded } from './lease-owner.ts';

describe('PeriodicTask', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('runs at the start and after every interval until it is stopped', async () => {
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

  it('reports a failure and continues', async () => {
    const errors: unknown[] = [];
    const task = new PeriodicTask(
      () => Promise.reject(new Error('no database')),
      1000,
      error => errors.push(error),
    );
    task.start();
    await vi.advanceTimersByTimeAsync(1000);
    expect(errors).toEqual([new Error('no database'), new Error('no database')]);
    await task.stop();
  });

  it('never runs twice at a time, and waits for the current run when it stops', async () => {
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

describe('hasLeaseOwnerEnded', () => {
  it('is false for this process and for processes of other machines', () => {
    const owner = createLeaseOwnerId();
    expect(hasLeaseOwnerEnded(owner)).toBe(false);
    expect(hasLeaseOwnerEnded(`another-machine/${2 ** 22 + 1}/x`)).toBe(false);
  });

  it('is true for a process of this machine that has ended', () => {
    const [host] = createLeaseOwnerId().split('/');
    expect(hasLeaseOwnerEnded(`${host}/${2 ** 22 + 1}/x`)).toBe(true);
  });
});
