import { instant } from '@lintel/access-core/instant';
import { beforeEach, expect, it } from 'vitest';
import { type AdminClient, openAdminSession } from '../../support/bridge/admin-client.ts';
import { describeOnSqliteFirst } from '../../support/bridge/describe-on-both-databases.ts';
import { createTestDevice, createTestSite, door, reportTestStatus } from '../../support/bridge/site-fixtures.ts';
import type { TestOrganizationClient } from '../../support/bridge/test-bridge.ts';

const MINUTE = 60_000;

describeOnSqliteFirst('GET /gadget_states', bridge => {
  let client: TestOrganizationClient;
  let owner: AdminClient;
  let siteId: string;
  let deviceId: string;
  let gadgetId: string;

  const pass = (ms: number): void => {
    bridge().now = instant(bridge().now + ms);
  };
  const stateOf = async (caller = owner) => {
    const { gadgets } = await caller.callOk('GET', '/gadget_states');
    return (gadgets as { gadget_id: string }[]).find(({ gadget_id }) => gadget_id === gadgetId);
  };
  const act = (action: string) => {
    pass(1000);
    return owner.callOk('POST', `/gadgets/${gadgetId}/actions/${action}`, {});
  };
  const attention = async () =>
    ((await owner.callOk('GET', '/attention'))['items'] as { kind: string; since: string }[]).map(
      ({ kind, since }) => `${kind} ${since}`,
    );

  beforeEach(async () => {
    client = await bridge().newOrganization();
    owner = await openAdminSession(bridge(), client.organizationId, 'owner');
    const given = await createTestSite(bridge(), client);
    siteId = given;
    const gadgets = [
      {
        ...door,
        actions: ['open', 'unlock', 'lock'].map(id => ({ id, name: id })),
        states: ['locked', 'unlocked', 'open'].map(id => ({ id, name: id })),
      },
    ];
    ({ deviceId, gadgetId } = await createTestDevice(bridge(), client, { site_id: given, gadgets }));
  });

  it('tells who unlocked a door and since when, and lists it as needing attention after ten minutes', async () => {
    expect(await stateOf()).toMatchObject({ state_id: 'locked', is_current: true, known_at: null, unlocked: null });
    await act('unlock');
    const since = new Date(bridge().now).toISOString();
    const unlocked = { since, stays: true, by: { type: 'user', name: expect.any(String) } };
    expect(await stateOf()).toMatchObject({ state_id: 'unlocked', unlocked });
    pass(5 * MINUTE);
    // A second press changes nothing.
    await act('unlock');
    expect(await stateOf()).toMatchObject({ unlocked });
    expect(await attention()).toEqual([]);
    pass(5 * MINUTE);
    expect(await attention()).toEqual([`door_unlocked ${since}`]);
    await act('lock');
    expect(await stateOf()).toMatchObject({ state_id: 'locked', unlocked: null });
    expect(await attention()).toEqual([]);
  });

  it('tells a door that is open for a moment from one that stays unlocked', async () => {
    const report = (state_id: string) => owner.callOk('PATCH', `/gadgets/${gadgetId}`, { state_id });
    await act('open');
    expect(await stateOf()).toMatchObject({ state_id: 'unlocked', unlocked: { stays: false, by: { type: 'user' } } });
    await report('open');
    expect(await stateOf()).toMatchObject({ state_id: 'open', unlocked: null });
    await report('locked');
    await act('unlock');
    await report('open');
    expect(await stateOf()).toMatchObject({ state_id: 'open', unlocked: { stays: true } });
    await act('lock');
    expect(await stateOf()).toMatchObject({ unlocked: null });
  });

  it('does not list a door that a schedule unlocks', async () => {
    const { id: source_schedule_id } = await owner.callOk('POST', '/schedules', {
      name: 'Office hours',
      weekdays: Array.from({ length: 7 }, () => ({ ranges: [] })),
    });
    const trigger = await owner.callOk('POST', '/gadget_triggers', {
      source_type: 'schedule',
      source_schedule_id,
      source_schedule_event: 'enter',
      target_gadget_id: gadgetId,
      target_action_id: 'unlock',
    });
    await act('unlock');
    await bridge()
      .services.storage.writer.updateTable('events')
      .set({ object_gadget_trigger_id: trigger.id, subject_user_id: null })
      .where('object_gadget_action_id', '=', 'unlock')
      .where('object_gadget_id', '=', gadgetId)
      .execute();
    pass(60 * MINUTE);
    expect(await stateOf()).toMatchObject({ unlocked: { by: { type: 'schedule', name: 'Office hours' } } });
    expect(await attention()).toEqual([]);
  });

  it('says since when a state is out of date', async () => {
    const status = { online: false, mains_present: true, battery_present: false, battery_charging: false };
    await reportTestStatus(bridge(), client.organizationId, deviceId, status);
    expect(await stateOf()).toMatchObject({ is_current: false, known_at: '1970-01-01T00:00:02.000Z' });
  });

  it('hides doors of other sites and the names of people from a technician', async () => {
    await act('unlock');
    const technician = await openAdminSession(bridge(), client.organizationId, 'technician', [siteId]);
    expect(await stateOf(technician)).toMatchObject({ unlocked: { by: { type: 'user', name: null } } });
    const other = await createTestSite(bridge(), client);
    const elsewhere = await openAdminSession(bridge(), client.organizationId, 'technician', [other]);
    expect(await elsewhere.callOk('GET', '/gadget_states')).toEqual({ gadgets: [] });
  });
});
