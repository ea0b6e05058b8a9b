import { mkdirSync, mkdtempSync, rmSync, writeFileSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSystemTime } from './system-time.ts';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { openBootClock } from './boot-clock.ts';

const TIMESYNCD_FILE = '/run/systemd/timesync/synchronized';

describe('createSystemTime', () => {
  it.each([
    ['systemd-timesyncd', (path: string) => path === TIMESYNCD_FILE, false],
    ['another time service, through the kernel', () => false, true],
  ])('is synchronized by %s', (_service, fileExists, isKernelSet) => {
    expect(createSystemTime({ fileExists, isKernelClockSet: () => isKernelSet }).isSynchronized()).toBe(true);
  });

  it('is not synchronized without a time service', () => {
    expect(createSystemTime({ fileExists: () => false, isKernelClockSet: () => false }).isSynchronized()).toBe(false);
  });

  it('asks the kernel without special rights', () => {
    expect([true, false]).toContain(createSystemTime().isSynchronized());
  });

  describe('readRtc', () => {
    let rtcFolder = '';
    beforeEach(() => void (rtcFolder = mkdtempSync(join(tmpdir(), 'lintel-rtc-'))));
    afterEach(() => rmSync(rtcFolder, { recursive: true }));

    const readRtc = () => createSystemTime({ rtcFolder }).readRtc?.();

    it('reads the first battery-backed clock', () => {
      mkdirSync(join(rtcFolder, 'rtc0'));
      writeFileSync(join(rtcFolder, 'rtc0', 'since_epoch'), '1780308000\n');
      expect(readRtc()).toBe(1_780_308_000_000);
    });

    it('is null without such a clock, and when its driver reports that it has stopped', () => {
      expect(readRtc()).toBeNull();
      mkdirSync(join(rtcFolder, 'rtc0'));
      expect(readRtc()).toBeNull();
    });
  });
});

const entry = fileURLToPath(new URL('boot-clock.ts', import.meta.url));
const script = `import { openBootClock } from ${JSON.stringify(entry)};
const clock = openBootClock();
console.log(JSON.stringify({ id: clock.id, now: clock.now() }));`;

/** What another process reads. */
const readInAnotherProcess = (): { id: string; now: number } =>
  JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }));

describe('openBootClock', () => {
  it('is one clock for all processes since the start of the machine', () => {
    const clock = openBootClock()!;
    const before = clock.now();
    const other = readInAnotherProcess();
    expect(other.id).toBe(clock.id);
    expect(other.id).toBe(readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
    expect(other.now).toBeGreaterThan(before);
    expect(other.now).toBeLessThan(clock.now());
  });
});
