import { instant } from '@lintel/access-core/instant';
import { monotonic } from '@lintel/access-core/monotonic-time';
import { describe, expect, it } from 'vitest';
import { ScenarioClock } from './scenario-clock.ts';

const START = 1_000_000;

const runUntil = (clock: ScenarioClock, end: number): void => {
  while (clock.fireNextAlarm(instant(START + end)));
};

describe('ScenarioClock', () => {
  it('fires every alarm at its time, including those set on the way', () => {
    const clock = new ScenarioClock(instant(START));
    const machine = clock.machine();
    const fired: number[] = [];
    machine.wake(monotonic(20), () => fired.push(machine.now()));
    machine.wake(monotonic(10), () => {
      fired.push(machine.now());
      machine.wake(monotonic(15), () => fired.push(machine.now()));
    });
    runUntil(clock, 30);
    expect(fired).toEqual([10, 15, 20]);
    expect([machine.now(), clock.instant]).toEqual([30, START + 30]);
  });

  it('fires alarms of the same time in the order in which they were set', () => {
    const clock = new ScenarioClock(instant(START));
    const fired: string[] = [];
    for (const name of ['a', 'b', 'c']) clock.machine().wake(monotonic(5), () => fired.push(name));
    runUntil(clock, 5);
    expect(fired).toEqual(['a', 'b', 'c']);
  });

  it('fires neither canceled alarms nor those of a machine without power', () => {
    const clock = new ScenarioClock(instant(START));
    const [powered, unpowered] = [clock.machine(), clock.machine()];
    const fired: string[] = [];
    powered.wake(monotonic(5), () => fired.push('canceled'))();
    unpowered.wake(monotonic(5), () => fired.push('without power'));
    powered.wake(monotonic(5), () => fired.push('powered'));
    unpowered.halt();
    runUntil(clock, 10);
    expect(fired).toEqual(['powered']);
  });

  it('fires an alarm in skipped time late and once', () => {
    const clock = new ScenarioClock(instant(START));
    const machine = clock.machine();
    const fired: number[] = [];
    machine.wake(monotonic(5), () => fired.push(machine.now()));
    clock.skipTo(instant(START + 60));
    runUntil(clock, 60);
    runUntil(clock, 120);
    expect(fired).toEqual([60]);
  });

  it('never goes back', () => {
    const clock = new ScenarioClock(instant(START));
    clock.skipTo(instant(START + 60));
    clock.skipTo(instant(START + 30));
    runUntil(clock, 10);
    expect(clock.instant).toBe(START + 60);
  });
});
