import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HOUR_MS, DAY_MS } from '@lintel/access-core/durations';
import { describe, expect, it } from 'vitest';
import { TimeFloorFile } from './time-floor-file.ts';
import { GatewayClock } from './gateway-clock.ts';
import { describeClockWarning } from './clock-warning.ts';

const today = Date.parse('2026-06-01T10:00:00Z');

const clockWith = (floor: number | null, system: number) => {
  const saved: number[] = [];
  const state = { monotonic: 1000, system };
  const clock = new GatewayClock({
    monotonic: () => state.monotonic,
    system: () => state.system,
    floor,
    save: time => saved.push(time),
  });
  return { clock, state, saved };
};

describe('GatewayClock', () => {
  it('rejects a system clock in 1970', () => {
    const { clock } = clockWith(today, 0);
    expect([clock.now(), clock.source, clock.isTrusted]).toEqual([today, 'floor', false]);
  });

  it('rejects a system clock more than a day ahead of the last known time', () => {
    expect(clockWith(today, today + 25 * HOUR_MS).clock.now()).toBe(today);
    expect(clockWith(today, today + 23 * HOUR_MS).clock.now()).toBe(today + 23 * HOUR_MS);
  });

  it('accepts the system clock at the first start, unless it is older than the release', () => {
    expect(clockWith(null, today).clock.now()).toBe(today);
    expect(clockWith(null, 0).clock.now()).toBe(Date.parse('2026-01-01T00:00:00Z'));
  });

  it('uses the issue date of its certificate at the first start, and rejects clocks far from it', () => {
    const issued = (system: number, floor: number | null = null): number => {
      const { clock } = clockWith(floor, system);
      clock.setCertificateIssueTime(today);
      return clock.now();
    };
    expect([issued(today + 23 * HOUR_MS), issued(today + 25 * HOUR_MS), issued(today - HOUR_MS)]).toEqual([
      today + 23 * HOUR_MS,
      today,
      today,
    ]);
    // A saved floor takes precedence.
    expect(issued(today + 31 * 24 * HOUR_MS, today + 30 * 24 * HOUR_MS)).toBe(today + 31 * 24 * HOUR_MS);
  });

  it('is not set back by its certificate once the bridge has set the time', () => {
    const { clock } = clockWith(null, today);
    clock.setByBridge(today + 100 * HOUR_MS);
    clock.setCertificateIssueTime(today);
    expect(clock.now()).toBe(today + 100 * HOUR_MS);
  });

  it('follows the bridge in both directions, then the monotonic clock, whatever the system clock does', () => {
    const { clock, state, saved } = clockWith(today, today);
    clock.setByBridge(today - 48 * HOUR_MS);
    state.system = 0;
    state.monotonic += 5000;
    expect(clock.now()).toBe(today - 48 * HOUR_MS + 5000);
    expect([clock.source, clock.isTrusted]).toEqual(['bridge', true]);
    expect(saved).toEqual([today - 48 * HOUR_MS]);
  });

  it('keeps its saved floor close to the current time', () => {
    const { clock, state, saved } = clockWith(today, today);
    clock.saveIfDue();
    expect(saved).toEqual([]);
    state.monotonic += HOUR_MS;
    clock.saveIfDue();
    expect(saved).toEqual([today + HOUR_MS]);
  });

  it('saves its floor in a file, and has none when the file is damaged', () => {
    const folder = mkdtempSync(join(tmpdir(), 'lintel-floor-'));
    const path = join(folder, 'time-floor.json');
    const file = new TimeFloorFile(path);
    expect(file.read()).toBeNull();
    expect(file.write(today)).toBe(true);
    expect(file.read()).toBe(today);
    writeFileSync(path, '{"no');
    expect(file.read()).toBeNull();
    rmSync(folder, { recursive: true });
  });
});

const wrong = Date.parse('2045-01-01T00:00:00Z');

describe('describeClockWarning', () => {
  it('names both times and a remedy when the saved time is years ahead of the system clock', () => {
    const warning = describeClockWarning(wrong, today, false);
    expect(warning).toContain('2045-01-01 00:00 UTC');
    expect(warning).toContain('2026-06-01 10:00 UTC');
    expect(warning).toContain('remove gateway/time-floor.json');
  });

  it('is null once the bridge has confirmed the time', () => {
    expect(describeClockWarning(wrong, today, true)).toBeNull();
  });

  it('is null when the saved time is slightly ahead or behind', () => {
    expect(describeClockWarning(today + DAY_MS, today, false)).toBeNull();
    expect(describeClockWarning(today + DAY_MS + 1, today, false)).not.toBeNull();
    expect(describeClockWarning(today, today + 400 * DAY_MS, false)).toBeNull();
  });

  it('is null on a system without a clock', () => {
    expect(describeClockWarning(today, 0, false)).toBeNull();
  });
});
