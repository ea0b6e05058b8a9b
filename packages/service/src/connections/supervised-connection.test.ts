import { describe, expect, it } from 'vitest';
import { OutageLog } from './outage-log.ts';
import { SupervisedConnection } from './supervised-connection.ts';

/** Connections are numbers. `outcomes` lists which attempts fail. */
const createSupervised = (failing: readonly number[] = []) => {
  const log: string[] = [];
  const closed: number[] = [];
  const lost: Array<(error: unknown) => void> = [];
  const waiting: Array<() => void> = [];
  let attempts = 0;
  const supervised = new SupervisedConnection<number>({
    open: async onLost => {
      lost.push(onLost);
      const number = ++attempts;
      if (failing.includes(number)) throw new Error(`attempt ${number}`);
      return number;
    },
    close: async connection => {
      closed.push(connection);
      throw new Error('already closed');
    },
    outages: new OutageLog('Database', (_, message, facts) => log.push(`${message} ${facts?.['reason'] ?? ''}`.trim())),
    timers: {
      after: (_, work) => {
        waiting.push(work);
        return () => waiting.splice(waiting.indexOf(work), 1);
      },
    },
    random: () => 0,
  });
  const retry = async (): Promise<void> => {
    waiting.shift()?.();
    await Promise.resolve();
    await Promise.resolve();
  };
  return { supervised, log, closed, lost, waiting, retry };
};

describe('SupervisedConnection', () => {
  it('reconnects once for any number of errors of one connection, and closes the broken one', async () => {
    const { supervised, log, closed, lost, waiting, retry } = createSupervised();
    await supervised.start();
    expect(supervised.current).toBe(1);
    for (let count = 0; count < 3; count++) lost[0]!(new Error('ended'));
    expect([supervised.current, waiting.length]).toEqual([null, 1]);
    await retry();
    lost[0]!(new Error('late error of the first connection'));
    expect([supervised.current, waiting.length, closed]).toEqual([2, 0, [1]]);
    expect(log).toEqual(['Database not available ended', 'Database available again']);
  });

  it('retries failed attempts and logs the outage once', async () => {
    const { supervised, log, retry } = createSupervised([1, 2, 3]);
    await supervised.start();
    for (let count = 0; count < 3; count++) await retry();
    expect(supervised.current).toBe(4);
    expect(log).toEqual(['Database not available attempt 1', 'Database available again']);
  });

  it('stops retrying when it is closed', async () => {
    const { supervised, lost, waiting, closed } = createSupervised([1]);
    await supervised.start();
    await supervised.close();
    lost[0]!(new Error('late'));
    expect(waiting).toEqual([]);
    expect(closed).toEqual([]);
  });

  it('closes a connection that opens after it was closed', async () => {
    const { supervised, closed } = createSupervised();
    const started = supervised.start();
    await supervised.close();
    await started;
    expect([supervised.current, closed]).toEqual([null, [1]]);
  });
});
