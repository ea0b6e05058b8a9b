import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Guarded, startGuard } from './trial-guard.ts';

let folder: string;
let marks: Omit<Guarded, 'pid' | 'seconds'>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-guard-'));
  const [trialMark, expiredMark, spentFile] = ['trial', 'expired', 'spent'].map(name => join(folder, name)) as [
    string,
    string,
    string,
  ];
  marks = { trialMark, expiredMark, spentFile, sleepSeconds: 0.05 };
  writeFileSync(trialMark, '');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const hanging = () => spawn('sleep', ['60'], { stdio: 'ignore' });
const spent = (): number => statSync(marks.spentFile, { throwIfNoEntry: false })?.size ?? 0;

describe('trial guard', () => {
  it('records the elapsed seconds for the next start, and does not count a termination from outside as a failure', async () => {
    const child = hanging();
    startGuard({ ...marks, pid: child.pid!, seconds: 60 });
    await expect.poll(spent).toBeGreaterThanOrEqual(2);
    child.kill('SIGTERM');
    await once(child, 'exit');
    rmSync(marks.trialMark);
    expect(existsSync(marks.expiredMark)).toBe(false);
  });

  it('terminates a program that exceeds the remaining time, and leaves a marker', async () => {
    const child = hanging();
    const ended = once(child, 'exit');
    startGuard({ ...marks, pid: child.pid!, seconds: 2 });
    expect(await ended).toEqual([null, 'SIGTERM']);
    expect([existsSync(marks.expiredMark), spent()]).toEqual([true, 2]);
  });
});
