import { instant } from '@lintel/access-core/instant';
import { expect, it } from 'vitest';
import { SteppedTime } from './stepped-time.ts';

const RIGHT = instant(Date.parse('2026-06-01T12:00:00Z'));

const machine = (isSynchronized = false) => new SteppedTime({ now: () => RIGHT, isSynchronized: () => isSynchronized });

it('is the right clock until somebody steps it', () => {
  const time = machine();
  expect([time.now(), time.isSynchronized()]).toEqual([RIGHT, false]);
  expect(machine(true).isSynchronized()).toBe(true);
});

it('a clock that was stepped claims to be right', () => {
  const time = machine();
  time.step(-3_600_000);
  expect([time.now(), time.isSynchronized()]).toEqual([RIGHT - 3_600_000, true]);
});

it('steps are counted from the right time, not from one another', () => {
  const time = machine();
  time.step(5_000);
  time.step(7_000);
  expect(time.now()).toBe(RIGHT + 7_000);
  time.step(0);
  expect([time.now(), time.isSynchronized()]).toEqual([RIGHT, false]);
});
