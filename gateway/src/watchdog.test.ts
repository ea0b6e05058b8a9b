import { expect, it, vi } from 'vitest';
import { tellSystemd } from './watchdog.ts';

it('says when it serves, that it lives, and that it stops', () => {
  vi.useFakeTimers();
  const said: string[] = [];
  const stopping = tellSystemd({ NOTIFY_SOCKET: '/run/x', WATCHDOG_USEC: '10000000' }, message => said.push(message));
  vi.advanceTimersByTime(10_000);
  stopping();
  vi.advanceTimersByTime(60_000);
  vi.useRealTimers();
  expect(said).toEqual(['READY=1', 'WATCHDOG=1', 'WATCHDOG=1', 'STOPPING=1']);
});

it('is silent where systemd did not start it', () => {
  const said: string[] = [];
  tellSystemd({ WATCHDOG_USEC: '10000000' }, message => said.push(message))();
  expect(said).toEqual([]);
});
