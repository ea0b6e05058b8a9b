import { instant } from '@lintel/access-core/instant';
import { runScheduleTriggers } from '@lintel/cloud-bridge/testing';
import { expect, it } from 'vitest';
import type { TestBridge, TestOrganizationClient } from '../../support/bridge/test-bridge.ts';
import { eventsOf } from '../../support/devices/organization-events-and-access-changes.ts';
import { describeOnBothDatabases } from '../../support/bridge/describe-on-both-databases.ts';
import { callAsOwner } from '../../support/bridge/admin-client.ts';
import { createTestDevice, createTestDoor, createTestSite, door } from '../../support/bridge/site-fixtures.ts';

const noDay = { ranges: [] };
const always = Array.from({ length: 7 }, () => ({ ranges: [{ start: 8 * 3600, end: 18 * 3600 }] }));

const look = (bridge: TestBridge): Promise<void> => runScheduleTriggers(bridge.services);

const state = (bridge: TestBridge, client: TestOrganizationClient, gadgetId: string, state_id: string) =>
  callAsOwner(bridge, client, 'PATCH', `/gadgets/${gadgetId}`, { state_id });

const uses = async (bridge: TestBridge, client: TestOrganizationClient): Promise<string[]> =>
  (await eventsOf(bridge, client)).filter(text => text.startsWith('use gadget_action'));

const lamp = {
  name: 'Lamp',
  actions: [{ id: 'on', name: 'On' }],
  states: [
    { id: 'dark', name: 'Dark' },
    { id: 'lit', name: 'Lit' },
  ],
  signals: [{ id: 'broken', name: 'Broken' }],
};

/** Creates a virtual device with two lamps. */
const createLamps = async (bridge: TestBridge, client: TestOrganizationClient) => {
  const site_id = await createTestSite(bridge, client);
  const { gadgetIds } = await createTestDevice(bridge, client, { site_id, gadgets: [lamp, lamp] });
  return { first: gadgetIds[0]!, second: gadgetIds[1]! };
};

const whenLit = (source: string, target: string) => ({
  source_type: 'state',
  source_gadget_id: source,
  source_state_id: 'lit',
  target_gadget_id: target,
  target_action_id: 'on',
});

const openWhenScheduleStarts = (client: TestOrganizationClient, scheduleId: string, gadgetId: string) =>
  client.callOk('POST', '/gadget_triggers', {
    source_type: 'schedule',
    source_schedule_id: scheduleId,
    source_schedule_event: 'enter',
    target_gadget_id: gadgetId,
    target_action_id: 'open',
  });

describeOnBothDatabases(
  'gadget triggers of virtual devices',
  bridge => {
    it('fire when a state is entered, not on the first or a repeated report', async () => {
      const client = await bridge().newOrganization();
      const { first, second } = await createLamps(bridge(), client);
      const trigger = await client.callOk('POST', '/gadget_triggers', whenLit(first, second));
      await state(bridge(), client, first, 'lit');
      expect(await uses(bridge(), client)).toEqual([]);
      for (const next of ['dark', 'lit', 'lit']) await state(bridge(), client, first, next);
      expect(await client.callOk('GET', `/gadgets/${first}`)).toMatchObject({ state_id: 'lit' });
      const fired = (await client.callOk('GET', '/events?verb=use')).data;
      expect(fired).toHaveLength(1);
      expect(fired[0]).toMatchObject({
        subject: {},
        object: {
          type: 'gadget_action',
          gadget_id: second,
          gadget_action_id: 'on',
          gadget_trigger_id: trigger.id,
        },
      });
      const states = (await client.callOk('GET', `/events?object.type=gadget_state&object.gadget_id=${first}`)).data;
      expect(states.map(({ object }) => (object as { gadget_state_id: string }).gadget_state_id)).toEqual([
        'lit',
        'dark',
        'lit',
      ]);
    });

    it('fire on every signal', async () => {
      const client = await bridge().newOrganization();
      const { first, second } = await createLamps(bridge(), client);
      await client.callOk('POST', '/gadget_triggers', {
        ...whenLit(first, second),
        source_type: 'signal',
        source_state_id: null,
        source_signal_id: 'broken',
      });
      for (let count = 0; count < 2; count++) {
        await callAsOwner(bridge(), client, 'POST', `/gadgets/${first}/signals/broken`, {});
      }
      expect(await uses(bridge(), client)).toHaveLength(2);
    });

    it('stop a chain at the eighth trigger, with an event', async () => {
      const client = await bridge().newOrganization();
      const { first, second } = await createLamps(bridge(), client);
      const forth = await client.callOk('POST', '/gadget_triggers', whenLit(first, second));
      await client.callOk('POST', '/gadget_triggers', whenLit(second, first));
      for (const gadget of [first, second]) await state(bridge(), client, gadget, 'dark');
      const next = [first, second];
      for (let link = 0; link < 9; link++) {
        await state(bridge(), client, next[link % 2]!, 'lit');
        await state(bridge(), client, next[link % 2]!, 'dark');
      }
      expect(await uses(bridge(), client)).toHaveLength(8);
      const stops = (await client.callOk('GET', '/events?verb=deny')).data;
      expect(stops).toMatchObject([
        { object: { type: 'gadget_trigger', gadget_trigger_id: forth.id }, reason: 'trigger_chain_stopped' },
      ]);
      await client.callOk('POST', `/gadgets/${first}/actions/on`, {});
      await state(bridge(), client, first, 'lit');
      expect(await uses(bridge(), client), 'an action of a member starts a new chain').toHaveLength(10);
    });

    it('fire once when a schedule begins and ends in site-local time', async () => {
      const client = await bridge().newOrganization();
      const { gadgetId } = await createTestDoor(bridge(), client, { timezone: 'Europe/Madrid' });
      const { id: source_schedule_id } = await client.callOk('POST', '/schedules', { name: 'Day', weekdays: always });
      for (const [event, action] of [
        ['enter', 'open'],
        ['exit', 'hold'],
      ]) {
        await client.callOk('POST', '/gadget_triggers', {
          source_type: 'schedule',
          source_schedule_id,
          source_schedule_event: event,
          target_gadget_id: gadgetId,
          target_action_id: action,
        });
      }
      const fired = async () =>
        (await uses(bridge(), client)).map(text => text.split(' ').find(part => /^(open|hold)$/.test(part)));
      bridge().now = instant(Date.parse('2026-06-02T05:59:59Z'));
      await look(bridge());
      expect(await fired()).toEqual([]);
      bridge().now = instant(Date.parse('2026-06-02T06:00:00Z'));
      await Promise.all([look(bridge()), look(bridge()), look(bridge())]);
      expect(await fired()).toEqual(['open']);
      bridge().now = instant(Date.parse('2026-06-02T16:00:00Z'));
      await look(bridge());
      await look(bridge());
      expect(await fired()).toEqual(['open', 'hold']);
    });

    it('do not fire for times that were changed during the check', async () => {
      const client = await bridge().newOrganization();
      const { gadgetId } = await createTestDoor(bridge(), client, { timezone: 'Europe/Madrid' });
      const { id } = await client.callOk('POST', '/schedules', { name: 'Day', weekdays: always });
      await openWhenScheduleStarts(client, id, gadgetId);
      bridge().now = instant(Date.parse('2026-06-02T05:59:59Z'));
      await look(bridge());
      bridge().now = instant(Date.parse('2026-06-02T06:00:00Z'));
      await runScheduleTriggers(bridge().services, {
        beforeWrite: () => client.callOk('PATCH', `/schedules/${id}`, { weekdays: always.map(() => noDay) }),
      });
      expect(await uses(bridge(), client)).toEqual([]);
    });

    it('ignore real devices', async () => {
      const client = await bridge().newOrganization();
      const site_id = await createTestSite(bridge(), client);
      const { gadgetId } = await createTestDevice(bridge(), client, {
        site_id,
        product_id: 'rpi-gpio-acr122u',
        hardware_id: `hw_${client.organizationId}` as never,
        gadgets: [door],
      });
      const weekdays = [...always.slice(0, 6), noDay];
      const { id } = await client.callOk('POST', '/schedules', { name: 'Day', weekdays });
      await openWhenScheduleStarts(client, id, gadgetId);
      bridge().now = instant(Date.parse('2026-06-03T05:00:00Z'));
      await look(bridge());
      bridge().now = instant(Date.parse('2026-06-03T07:00:00Z'));
      await look(bridge());
      expect(await uses(bridge(), client)).toEqual([]);
    });
  },
  { scheduleCheckMs: 3_600_000 },
);
