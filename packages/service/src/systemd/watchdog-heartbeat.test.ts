import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startWatchdogHeartbeat } from './watchdog-heartbeat.ts';
import { createSystemdWatchdog } from './systemd-watchdog.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const reportedBy = (env: Record<string, string>, isHealthy?: () => boolean): string[] => {
  const messages: string[] = [];
  const stop = startWatchdogHeartbeat(
    createSystemdWatchdog(env, message => messages.push(message)),
    isHealthy,
  );
  vi.advanceTimersByTime(10_000);
  stop();
  vi.advanceTimersByTime(60_000);
  return messages;
};

const UNIT = { NOTIFY_SOCKET: '/run/x', WATCHDOG_USEC: '10000000' };

describe('startWatchdogHeartbeat', () => {
  it('reports ready, two signs of life within the watchdog time, and stopping', () => {
    expect(reportedBy(UNIT)).toEqual(['READY=1', 'WATCHDOG=1', 'WATCHDOG=1', 'STOPPING=1']);
  });

  it('reports no sign of life while the process is not healthy', () => {
    expect(reportedBy(UNIT, () => false)).toEqual(['READY=1', 'STOPPING=1']);
  });

  it('reports nothing when systemd did not start the process', () => {
    expect(reportedBy({ WATCHDOG_USEC: '10000000' })).toEqual([]);
  });
});
