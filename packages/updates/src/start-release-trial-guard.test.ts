import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ReleaseTrialGuardOptions, startReleaseTrialGuard } from './start-release-trial-guard.ts';
import { listHealthRegressions } from './health-regressions.ts';

let folder: string;
let markerFiles: Omit<ReleaseTrialGuardOptions, 'pid' | 'seconds'>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-guard-'));
  const [trialFile, expiredFile, spentSecondsFile] = ['trial', 'expired', 'spent'].map(name => join(folder, name)) as [
    string,
    string,
    string,
  ];
  markerFiles = { trialFile, expiredFile, spentSecondsFile, sleepSeconds: 0.05 };
  writeFileSync(trialFile, '');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const startHangingProgram = () => spawn('sleep', ['60'], { stdio: 'ignore' });
const spent = (): number => statSync(markerFiles.spentSecondsFile, { throwIfNoEntry: false })?.size ?? 0;

describe('trial guard', () => {
  it('records the elapsed seconds for the next start, and does not count a termination from outside as a failure', async () => {
    const child = startHangingProgram();
    startReleaseTrialGuard({ ...markerFiles, pid: child.pid!, seconds: 60 });
    await expect.poll(spent).toBeGreaterThanOrEqual(2);
    child.kill('SIGTERM');
    await once(child, 'exit');
    rmSync(markerFiles.trialFile);
    expect(existsSync(markerFiles.expiredFile)).toBe(false);
  });

  it('terminates a program that exceeds the remaining time, and leaves a marker', async () => {
    const child = startHangingProgram();
    const ended = once(child, 'exit');
    startReleaseTrialGuard({ ...markerFiles, pid: child.pid!, seconds: 2 });
    expect(await ended).toEqual([null, 'SIGTERM']);
    expect([existsSync(markerFiles.expiredFile), spent()]).toEqual([true, 2]);
  });
});

const healthy = { isReady: true, isResponsive: true, online: true, faults: [] };
const before = { online: true, faults: ['reader:front'] };

describe('listHealthRegressions', () => {
  it('finds nothing when everything works as before', () => {
    expect(listHealthRegressions(healthy, before)).toEqual([]);
    expect(listHealthRegressions({ ...healthy, faults: ['reader:front'] }, before)).toEqual([]);
  });

  it('names what is worse than before', () => {
    expect(listHealthRegressions({ ...healthy, online: false }, before)).toEqual([expect.stringContaining('bridge')]);
    expect(listHealthRegressions({ ...healthy, faults: ['event_store'] }, before)).toEqual(['fault: event_store']);
    expect(listHealthRegressions({ ...healthy, isReady: false, isResponsive: false }, before)).toHaveLength(2);
  });

  it('ignores problems that existed before', () => {
    expect(listHealthRegressions({ ...healthy, online: false }, { ...before, online: false })).toEqual([]);
    expect(listHealthRegressions({ ...healthy, online: false }, null)).toEqual([]);
  });
});
