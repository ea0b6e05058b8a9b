import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
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
  marks = { trialMark, expiredMark, spentFile };
  writeFileSync(trialMark, '');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const hanging = () => spawn('sleep', ['60'], { stdio: 'ignore' });
const spent = (): number => statSync(marks.spentFile, { throwIfNoEntry: false })?.size ?? 0;

it('notes the seconds of a trial for its next start, and blames nobody who was ended from outside', async () => {
  const child = hanging();
  startGuard({ ...marks, pid: child.pid!, seconds: 60 });
  await expect.poll(spent, { timeout: 10_000 }).toBeGreaterThanOrEqual(2);
  child.kill('SIGTERM');
  await once(child, 'exit');
  rmSync(marks.trialMark);
  expect(existsSync(marks.expiredMark)).toBe(false);
});

it('ends a program that takes longer than what is left, and leaves a mark', async () => {
  const child = hanging();
  const ended = once(child, 'exit');
  startGuard({ ...marks, pid: child.pid!, seconds: 2 });
  expect(await ended).toEqual([null, 'SIGTERM']);
  expect([existsSync(marks.expiredMark), spent()]).toEqual([true, 2]);
});
