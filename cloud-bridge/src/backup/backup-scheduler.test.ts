import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HOUR_MS, MINUTE_MS } from '@lintel/access-core/durations';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BackupScheduler } from './backup-scheduler.ts';

const START = Date.parse('2026-06-01T10:00:00Z');

describe('BackupScheduler', () => {
  let folder: string;
  let logged: string[];
  let problem: Error | null;
  beforeEach(() => {
    vi.useFakeTimers({ now: START });
    folder = mkdtempSync(join(tmpdir(), 'lintel-schedule-'));
    logged = [];
    problem = null;
  });
  afterEach(() => {
    vi.useRealTimers();
    rmSync(folder, { recursive: true });
  });

  const newSchedule = () =>
    new BackupScheduler({
      folder,
      intervalMs: HOUR_MS,
      keep: 2,
      clock: () => Date.now(),
      log: (level, message) => void logged.push(`${level} ${message}`),
      createBackup: async file => {
        if (problem !== null) throw problem;
        writeFileSync(file, 'backup');
      },
    });

  it('writes a backup at the start and after every interval, and keeps the newest', async () => {
    writeFileSync(join(folder, 'notes.txt'), '');
    const schedule = newSchedule();
    expect(schedule.status).toEqual({ lastSuccessAt: null, lastSizeBytes: 0, failures: 0 });
    schedule.start();
    await vi.advanceTimersByTimeAsync(0);
    expect(readdirSync(folder)).toEqual(['lintel-20260601T100000Z.backup', 'notes.txt']);
    expect(schedule.status).toEqual({ lastSuccessAt: START, lastSizeBytes: 6, failures: 0 });
    await vi.advanceTimersByTimeAsync(2 * HOUR_MS);
    expect(readdirSync(folder)).toEqual([
      'lintel-20260601T110000Z.backup',
      'lintel-20260601T120000Z.backup',
      'notes.txt',
    ]);
    await schedule.stop();
  });

  it('continues the schedule after a restart', async () => {
    writeFileSync(join(folder, 'lintel-20260601T093000Z.backup'), '');
    const schedule = newSchedule();
    schedule.start();
    await vi.advanceTimersByTimeAsync(29 * MINUTE_MS);
    expect(readdirSync(folder)).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    expect(readdirSync(folder)).toHaveLength(2);
    await schedule.stop();
  });

  it('counts and logs a failure, and tries again after 15 minutes', async () => {
    problem = new Error('The disk is full');
    const schedule = newSchedule();
    schedule.start();
    await vi.advanceTimersByTimeAsync(14 * MINUTE_MS);
    expect(logged).toEqual(['error Backup failed']);
    problem = null;
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    expect(schedule.status).toMatchObject({ failures: 1, lastSuccessAt: START + 15 * MINUTE_MS });
    await schedule.stop();
  });
});
