import { instant } from '@lintel/access-core/instant';
import { describe, expect, it } from 'vitest';
import { SystemTimeWithOffset } from './system-time-with-test-offset.ts';

const RIGHT = instant(Date.parse('2026-06-01T12:00:00Z'));

const machine = (isSynchronized = false) =>
  new SystemTimeWithOffset({ now: () => RIGHT, isSynchronized: () => isSynchronized });

describe('SteppedTime', () => {
  it('is the system clock until it is stepped', () => {
    const time = machine();
    expect([time.now(), time.isSynchronized()]).toEqual([RIGHT, false]);
    expect(machine(true).isSynchronized()).toBe(true);
  });

  it('claims to be synchronized after a step', () => {
    const time = machine();
    time.step(-3_600_000);
    expect([time.now(), time.isSynchronized()]).toEqual([RIGHT - 3_600_000, true]);
  });

  it('counts steps from the system clock, not from one another', () => {
    const time = machine();
    time.step(5_000);
    time.step(7_000);
    expect(time.now()).toBe(RIGHT + 7_000);
    time.step(0);
    expect([time.now(), time.isSynchronized()]).toEqual([RIGHT, false]);
  });
});
