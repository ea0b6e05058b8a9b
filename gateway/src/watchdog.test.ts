import { describe, expect, it, vi } from 'vitest';
import { tellSystemd } from './watchdog.ts';

describe('gateway watchdog', () => {
  it('reports ready, alive and stopping', () => {
    vi.useFakeTimers();
    const said: string[] = [];
    const stopping = tellSystemd({ NOTIFY_SOCKET: '/run/x', WATCHDOG_USEC: '10000000' }, message => said.push(message));
    vi.advanceTimersByTime(10_000);
    stopping();
    vi.advanceTimersByTime(60_000);
    vi.useRealTimers();
    expect(said).toEqual(['READY=1', 'WATCHDOG=1', 'WATCHDOG=1', 'STOPPING=1']);
  });

  it('does nothing when systemd did not start the process', () => {
    const said: string[] = [];
    tellSystemd({ WATCHDOG_USEC: '10000000' }, message => said.push(message))();
    expect(said).toEqual([]);
  });
});
