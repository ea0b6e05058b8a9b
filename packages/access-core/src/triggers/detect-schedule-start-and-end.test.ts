import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ScheduleId, SiteId } from '../ids.ts';
import { type Instant, instant } from '../instant.ts';
import { compileSchedule, isInsideSchedule } from '../schedule.ts';
import { resolveTimeZone } from '../time-zone.ts';
import { type ScheduleStates, type WatchedSchedule, detectScheduleChanges } from './detect-schedule-start-and-end.ts';

const madrid = resolveTimeZone('Europe/Madrid');
if (!madrid.ok) throw new Error('the time zone of the tests is missing');

const workday = { ranges: [{ start: 9 * 3_600, end: 17 * 3_600 }] };
const office: WatchedSchedule = {
  schedule_id: 'sch_office' as ScheduleId,
  site_id: 'site_main' as SiteId,
  schedule: compileSchedule([workday, workday, workday, workday, workday, { ranges: [] }, { ranges: [] }]),
  zone: madrid.value,
};

/** Monday, 7 September 2026; Madrid is two hours ahead of UTC. */
const at = (time: string, day = '07'): Instant => instant(Date.parse(`2026-09-${day}T${time}+02:00`));

const play = (last: ScheduleStates, ...times: readonly (Instant | null)[]) => {
  let state = last;
  const events = times.map(now => {
    const step = detectScheduleChanges([office], state, now);
    state = step.state;
    return step.inputs.map(input => (input.type === 'schedule' ? input.event : input.type)).join();
  });
  return { state, events };
};

describe('schedule watch', () => {
  it('reports enter at the start and exit at the end', () => {
    const { events } = play({}, at('08:59:59.999'), at('09:00:00'), at('12:00:00'), at('16:59:59.999'), at('17:00:00'));
    expect(events).toEqual(['', 'enter', '', '', 'exit']);
  });

  it('names the schedule and its site', () => {
    const { state } = detectScheduleChanges([office], {}, at('08:00:00'));
    expect(detectScheduleChanges([office], state, at('10:00:00')).inputs).toEqual([
      { type: 'schedule', schedule_id: 'sch_office', site_id: 'site_main', event: 'enter' },
    ]);
  });

  it('starts without an event', () => {
    expect(play({}, at('12:00:00')).events).toEqual(['']);
  });

  it('fires once after a restart when the saved state differs from the current one', () => {
    const { state } = play({}, at('12:00:00'));
    const kept = JSON.parse(JSON.stringify(state)) as ScheduleStates;
    expect(play(kept, at('20:00:00'), at('20:00:01')).events).toEqual(['exit', '']);
  });

  it('does not catch up on periods that passed while it was off', () => {
    const { state } = play({}, at('08:00:00'));
    expect(play(state, at('18:00:00', '09')).events).toEqual(['']);
  });

  it('neither fires nor forgets while the time is untrusted', () => {
    const { state } = play({}, at('12:00:00'));
    expect(play(state, null, at('20:00:00')).events).toEqual(['', 'exit']);
  });

  it('forgets a schedule that no trigger uses any more', () => {
    const { state } = play({}, at('12:00:00'));
    expect(detectScheduleChanges([], state, at('20:00:00'))).toEqual({ state: {}, inputs: [] });
  });

  it('watches a schedule once, however many triggers use it', () => {
    const { state } = play({}, at('08:00:00'));
    expect(detectScheduleChanges([office, office], state, at('10:00:00')).inputs).toHaveLength(1);
  });

  it('is never inside at a site without a time zone', () => {
    const nowhere = { ...office, zone: null };
    expect(detectScheduleChanges([nowhere], {}, at('12:00:00')).state).toEqual({ 'site_main/sch_office': false });
  });

  it('alternates enter and exit, and the last event always matches the current state', () => {
    const instants = fc.array(fc.integer({ min: at('00:00:00'), max: at('00:00:00', '28') }).map(instant), {
      minLength: 1,
    });
    fc.assert(
      fc.property(instants, times => {
        const { events } = play({}, ...times);
        const inside = (now: Instant): boolean => isInsideSchedule(office.schedule, madrid.value, now);
        for (const [index, now] of times.entries()) {
          const before = times[index - 1];
          const expected = before === undefined || inside(before) === inside(now) ? '' : inside(now) ? 'enter' : 'exit';
          expect(events[index]).toBe(expected);
        }
      }),
    );
  });
});
