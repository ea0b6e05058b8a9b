import { instant } from '@lintel/access-core/instant';
import { beforeAll, expect, it } from 'vitest';
import { runScheduleExceptions } from '@lintel/cloud-bridge/testing';
import { type AdminClient, openAdminSession } from '../../support/bridge/admin-client.ts';
import { describeOnSqliteFirst } from '../../support/bridge/describe-on-both-databases.ts';

interface Week {
  readonly weekdays: readonly { readonly ranges: readonly object[] }[];
}

const FRIDAY = 4;
const day = [{ start: 28_800, end: 64_800 }];
const morning = [{ start: 32_400, end: 43_200 }];
const week = Array.from({ length: 7 }, () => ({ ranges: day }));

describeOnSqliteFirst('exceptions of a schedule', bridge => {
  let organizationId: string;
  let owner: AdminClient;
  let path: string;
  beforeAll(async () => {
    ({ organizationId } = await bridge().newOrganization());
  });
  /** A session does not last for weeks. */
  const setTime = async (time: string): Promise<void> => {
    bridge().now = instant(Date.parse(time));
    owner = await openAdminSession(bridge(), organizationId, 'owner');
  };
  const start = async (): Promise<void> => {
    await setTime('2026-06-01T10:00:00Z');
    path = `/schedules/${(await owner.callOk('POST', '/schedules', { name: 'Day', weekdays: week })).id}`;
  };
  const set = (date: string, ranges: readonly object[] = [], name = '') =>
    owner.call('PUT', `${path}/exceptions/${date}`, { ranges, name });
  const list = async () => (await owner.callOk('GET', `${path}/exceptions`))['items'] as { date: string }[];
  const fridayAt = async (time: string): Promise<unknown> => {
    await setTime(time);
    await runScheduleExceptions(bridge().services);
    return ((await owner.callOk('GET', path)) as unknown as Week).weekdays[FRIDAY]!.ranges;
  };

  it('change the weekday of the schedule for the week of the date only', async () => {
    await start();
    expect((await set('2026-06-12', morning, 'Fair')).body).toEqual({
      schedule_id: path.slice('/schedules/'.length),
      date: '2026-06-12',
      name: 'Fair',
      ranges: morning,
      applies_from: '2026-06-06T12:00:00.000Z',
      applies_until: '2026-06-13T12:00:00.000Z',
      is_applied: false,
      replaced_ranges: null,
    });
    expect(await fridayAt('2026-06-06T11:59:00Z')).toEqual(day);
    expect(await fridayAt('2026-06-06T12:00:00Z')).toEqual(morning);
    expect(await list()).toMatchObject([{ is_applied: true, replaced_ranges: day }]);
    expect(await fridayAt('2026-06-13T11:59:00Z')).toEqual(morning);
    expect(await fridayAt('2026-06-13T12:00:00Z')).toEqual(day);
    expect(await list()).toEqual([]);
  });

  it('follow each other in consecutive weeks', async () => {
    await start();
    for (const [date, ranges] of [
      ['2026-06-12', morning],
      ['2026-06-19', []],
    ] as const)
      await set(date, ranges);
    expect(await fridayAt('2026-06-10T00:00:00Z')).toEqual(morning);
    expect(await fridayAt('2026-06-13T12:00:00Z')).toEqual([]);
    expect(await fridayAt('2026-06-20T12:00:00Z')).toEqual(day);
  });

  it('apply at once on the same day, are replaced, and end at once when they are deleted', async () => {
    await start();
    await set('2026-06-05');
    expect(await fridayAt('2026-06-01T10:00:00Z')).toEqual([]);
    await set('2026-06-05', morning);
    expect(await fridayAt('2026-06-01T10:00:00Z')).toEqual(morning);
    expect(await list()).toMatchObject([{ replaced_ranges: day }]);
    await owner.callOk('DELETE', `${path}/exceptions/2026-06-05`);
    expect(await fridayAt('2026-06-01T10:00:00Z')).toEqual(day);
    expect((await owner.call('DELETE', `${path}/exceptions/2026-06-05`)).status).toBe(404);
  });

  it('leave times alone that were edited meanwhile', async () => {
    await start();
    await set('2026-06-05');
    const edited = week.map((one, index) => (index === FRIDAY ? { ranges: morning } : one));
    await owner.callOk('PATCH', path, { weekdays: edited });
    expect(await fridayAt('2026-06-06T12:00:00Z')).toEqual(morning);
    expect(await list()).toEqual([]);
  });

  it('are dropped when the bridge was stopped during the whole period, or the schedule is deleted', async () => {
    await start();
    await set('2026-06-12');
    expect(await fridayAt('2026-07-01T00:00:00Z')).toEqual(day);
    expect(await list()).toEqual([]);
    await start();
    await set('2026-06-12');
    await owner.callOk('DELETE', path);
    expect(await fridayAt('2026-06-08T00:00:00Z')).toEqual(day);
    expect(await list()).toEqual([]);
  });

  it('are refused with the reason if a schedule cannot express them', async () => {
    await start();
    const refusal = async (date: string, ranges: readonly object[] = []) => {
      const { status, body } = await set(date, ranges);
      return [status, body['message'] ?? (body['error'] as { message: string })?.message];
    };
    expect(await refusal('2026-05-29')).toEqual([400, "The field 'date' must not be over: 2026-05-29 is in the past."]);
    expect(await refusal('2026-02-30')).toEqual([400, "The field 'date' must be a date such as 2026-12-25."]);
    const night = [{ start: 79_200, end: 108_000 }];
    expect(await refusal('2026-06-12', night)).toEqual([400, expect.stringContaining('from 0 to 86400')]);
    expect(await refusal('2026-06-12', [...day, ...morning])).toEqual([400, expect.stringContaining('overlaps')]);
    expect((await owner.call('PUT', '/schedules/sch_unknown/exceptions/2026-06-12', { ranges: [] })).status).toBe(404);
    const viewer = await openAdminSession(bridge(), owner.organizationId, 'viewer');
    expect((await viewer.call('PUT', `${path}/exceptions/2026-06-12`, { ranges: [] })).status).toBe(403);
    expect((await viewer.get(`${path}/exceptions`)).status).toBe(200);
  });
});
