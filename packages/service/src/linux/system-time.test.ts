import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSystemTime } from './system-time.ts';

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
