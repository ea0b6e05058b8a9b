import { instant } from '@lintel/access-core/instant';
import { lookAtSchedules } from '@lintel/cloud-bridge/automation/schedule-automation';
import { expect, it } from 'vitest';
import type { BridgeWorld, OrganizationClient } from '../../support/bridge/bridge-world.ts';
import { eventsOf } from '../../support/devices/journal-of.ts';
import { onBothEngines } from '../../support/bridge/on-both-engines.ts';
import { administer, aDevice, aDoor, aSite, door } from '../../support/bridge/place.ts';

const noDay = { ranges: [] };
const always = Array.from({ length: 7 }, () => ({ ranges: [{ start: 8 * 3600, end: 18 * 3600 }] }));

const look = (world: BridgeWorld): Promise<void> => lookAtSchedules(world.bridge.services, world.bridge.triggers);

const state = (world: BridgeWorld, client: OrganizationClient, gadgetId: string, stateId: string): Promise<void> =>
  administer(world, client, context => world.bridge.triggers.reportState(context, gadgetId, stateId));

const uses = async (world: BridgeWorld, client: OrganizationClient): Promise<string[]> =>
  (await eventsOf(world, client)).filter(text => text.startsWith('use gadget_action'));

const lamp = {
  name: 'Lamp',
  actions: [{ id: 'on', name: 'On' }],
  states: [
    { id: 'dark', name: 'Dark' },
    { id: 'lit', name: 'Lit' },
  ],
  signals: [{ id: 'broken', name: 'Broken' }],
};

/** Two lamps of one virtual device. */
const lamps = async (world: BridgeWorld, client: OrganizationClient) => {
  const site_id = await aSite(world, client);
  const { gadgetIds } = await aDevice(world, client, { site_id, gadgets: [lamp, lamp] });
  return { first: gadgetIds[0]!, second: gadgetIds[1]! };
};

const whenLit = (source: string, target: string) => ({
  source_type: 'state',
  source_gadget_id: source,
  source_state_id: 'lit',
  target_gadget_id: target,
  target_action_id: 'on',
});

onBothEngines(
  'triggers of virtual devices',
  world => {
    it('fire when a state is entered, not when it is first known or said again', async () => {
      const client = await world().newOrganization();
      const { first, second } = await lamps(world(), client);
      const trigger = await client.done('POST', '/gadget_triggers', whenLit(first, second));
      await state(world(), client, first, 'lit');
      expect(await uses(world(), client)).toEqual([]);
      for (const next of ['dark', 'lit', 'lit']) await state(world(), client, first, next);
      expect(await client.done('GET', `/gadgets/${first}`)).toMatchObject({ state_id: 'lit' });
      const fired = (await client.done('GET', '/events?verb=use')).data;
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
      const states = (await client.done('GET', `/events?object.type=gadget_state&object.gadget_id=${first}`)).data;
      expect(states.map(({ object }) => (object as { gadget_state_id: string }).gadget_state_id)).toEqual([
        'lit',
        'dark',
        'lit',
      ]);
    });

    it('fire on a signal, each time', async () => {
      const client = await world().newOrganization();
      const { first, second } = await lamps(world(), client);
      await client.done('POST', '/gadget_triggers', {
        ...whenLit(first, second),
        source_type: 'signal',
        source_state_id: null,
        source_signal_id: 'broken',
      });
      const { triggers } = world().bridge;
      for (let count = 0; count < 2; count++) {
        await administer(world(), client, context => triggers.reportSignal(context, first, 'broken'));
      }
      expect(await uses(world(), client)).toHaveLength(2);
    });

    it('stop a chain at its eighth link, with an event', async () => {
      const client = await world().newOrganization();
      const { first, second } = await lamps(world(), client);
      const forth = await client.done('POST', '/gadget_triggers', whenLit(first, second));
      await client.done('POST', '/gadget_triggers', whenLit(second, first));
      for (const gadget of [first, second]) await state(world(), client, gadget, 'dark');
      const next = [first, second];
      for (let link = 0; link < 9; link++) {
        await state(world(), client, next[link % 2]!, 'lit');
        await state(world(), client, next[link % 2]!, 'dark');
      }
      expect(await uses(world(), client)).toHaveLength(8);
      const stops = (await client.done('GET', '/events?verb=deny')).data;
      expect(stops).toMatchObject([
        { object: { type: 'gadget_trigger', gadget_trigger_id: forth.id }, reason: 'trigger_chain_stopped' },
      ]);
      await client.done('POST', `/gadgets/${first}/actions/on`, {});
      await state(world(), client, first, 'lit');
      expect(await uses(world(), client), 'what a person does begins a chain anew').toHaveLength(10);
    });

    it('fire when a schedule begins and ends in the site’s time, once however many look', async () => {
      const client = await world().newOrganization();
      const { gadgetId } = await aDoor(world(), client, { timezone: 'Europe/Madrid' });
      const { id: source_schedule_id } = await client.done('POST', '/schedules', { name: 'Day', weekdays: always });
      for (const [event, action] of [
        ['enter', 'open'],
        ['exit', 'hold'],
      ]) {
        await client.done('POST', '/gadget_triggers', {
          source_type: 'schedule',
          source_schedule_id,
          source_schedule_event: event,
          target_gadget_id: gadgetId,
          target_action_id: action,
        });
      }
      const fired = async () =>
        (await uses(world(), client)).map(text => text.split(' ').find(part => /^(open|hold)$/.test(part)));
      world().now = instant(Date.parse('2026-06-02T05:59:59Z'));
      await look(world());
      expect(await fired()).toEqual([]);
      world().now = instant(Date.parse('2026-06-02T06:00:00Z'));
      await Promise.all([look(world()), look(world()), look(world())]);
      expect(await fired()).toEqual(['open']);
      world().now = instant(Date.parse('2026-06-02T16:00:00Z'));
      await look(world());
      await look(world());
      expect(await fired()).toEqual(['open', 'hold']);
    });

    it('leave real devices to their site', async () => {
      const client = await world().newOrganization();
      const site_id = await aSite(world(), client);
      const { gadgetId } = await aDevice(world(), client, {
        site_id,
        product_id: 'rpi-gpio-acr122u',
        hardware_id: `hw_${client.organizationId}` as never,
        gadgets: [door],
      });
      const weekdays = [...always.slice(0, 6), noDay];
      const { id } = await client.done('POST', '/schedules', { name: 'Day', weekdays });
      await client.done('POST', '/gadget_triggers', {
        source_type: 'schedule',
        source_schedule_id: id,
        source_schedule_event: 'enter',
        target_gadget_id: gadgetId,
        target_action_id: 'open',
      });
      world().now = instant(Date.parse('2026-06-03T05:00:00Z'));
      await look(world());
      world().now = instant(Date.parse('2026-06-03T07:00:00Z'));
      await look(world());
      expect(await uses(world(), client)).toEqual([]);
    });
  },
  { scheduleLookMs: 3_600_000 },
);
