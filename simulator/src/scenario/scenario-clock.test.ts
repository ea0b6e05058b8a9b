import { instant } from '@lintel/access-core/instant';
import { monotonic } from '@lintel/access-core/monotonic';
import { describe, expect, it } from 'vitest';
import { ScenarioClock } from './scenario-clock.ts';

const BEGAN = 1_000_000;

const rungBy = (clock: ScenarioClock, end: number): void => {
  while (clock.ringNext(instant(BEGAN + end)));
};

describe('ScenarioClock', () => {
  it('fires every alarm at its time, including those set on the way', () => {
    const clock = new ScenarioClock(instant(BEGAN));
    const machine = clock.machine();
    const rung: number[] = [];
    machine.wake(monotonic(20), () => rung.push(machine.now()));
    machine.wake(monotonic(10), () => {
      rung.push(machine.now());
      machine.wake(monotonic(15), () => rung.push(machine.now()));
    });
    rungBy(clock, 30);
    expect(rung).toEqual([10, 15, 20]);
    expect([machine.now(), clock.instant]).toEqual([30, BEGAN + 30]);
  });

  it('fires alarms of the same time in the order in which they were set', () => {
    const clock = new ScenarioClock(instant(BEGAN));
    const rung: string[] = [];
    for (const name of ['a', 'b', 'c']) clock.machine().wake(monotonic(5), () => rung.push(name));
    rungBy(clock, 5);
    expect(rung).toEqual(['a', 'b', 'c']);
  });

  it('fires neither canceled alarms nor those of a machine without power', () => {
    const clock = new ScenarioClock(instant(BEGAN));
    const [one, other] = [clock.machine(), clock.machine()];
    const rung: string[] = [];
    one.wake(monotonic(5), () => rung.push('called off'))();
    other.wake(monotonic(5), () => rung.push('without power'));
    one.wake(monotonic(5), () => rung.push('one'));
    other.halt();
    rungBy(clock, 10);
    expect(rung).toEqual(['one']);
  });

  it('fires an alarm in skipped time late and once', () => {
    const clock = new ScenarioClock(instant(BEGAN));
    const machine = clock.machine();
    const rung: number[] = [];
    machine.wake(monotonic(5), () => rung.push(machine.now()));
    clock.skipTo(instant(BEGAN + 60));
    rungBy(clock, 60);
    rungBy(clock, 120);
    expect(rung).toEqual([60]);
  });

  it('never goes back', () => {
    const clock = new ScenarioClock(instant(BEGAN));
    clock.skipTo(instant(BEGAN + 60));
    clock.skipTo(instant(BEGAN + 30));
    rungBy(clock, 10);
    expect(clock.instant).toBe(BEGAN + 60);
  });
});
