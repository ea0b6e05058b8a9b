import type { CreateGadgetRequest } from '@lintel/wire-protocol/rest/gadget';
import { runVirtualGadgetTimers } from '@lintel/cloud-bridge/testing';
import { expect, it } from 'vitest';
import { openAdminSession } from '../../support/bridge/admin-client.ts';
import { describeOnBothDatabases } from '../../support/bridge/describe-on-both-databases.ts';
import { createTestDevice, createTestSite } from '../../support/bridge/site-fixtures.ts';
import { type TestOrganizationClient, TestBridge } from '../../support/bridge/test-bridge.ts';

const parts = (...ids: string[]) => ids.map(id => ({ id, name: id }));

const lock: CreateGadgetRequest = {
  name: 'Door',
  actions: parts('open', 'unlock', 'lock'),
  states: parts('locked', 'unlocked'),
  signals: parts('bell'),
};
const light: CreateGadgetRequest = { name: 'Light', actions: parts('on', 'off'), states: parts('off', 'on') };
const blind: CreateGadgetRequest = {
  name: 'Blind',
  actions: parts('raise', 'lower', 'stop'),
  states: parts('raising', 'lowering', 'stopped', 'up', 'down'),
};

/** The test calls the timers itself. */
const options = { scheduleCheckMs: 3_600_000, virtualGadgetCheckMs: 3_600_000 };

const createGadgets = async (bridge: TestBridge, gadgets: CreateGadgetRequest[]) => {
  const client = await bridge.newOrganization();
  const site_id = await createTestSite(bridge, client);
  const { gadgetIds, deviceId } = await createTestDevice(bridge, client, { site_id, gadgets });
  return { client, gadgetIds, deviceId };
};

const act = (client: TestOrganizationClient, gadgetId: string, action: string) =>
  client.callOk('POST', `/gadgets/${gadgetId}/actions/${action}`, {});

const stateOf = async (client: TestOrganizationClient, gadgetId: string) =>
  (await client.callOk('GET', `/gadgets/${gadgetId}`))['state_id'];

/** State events in the order of their commits, with the seconds since the first. */
const stateEvents = async (client: TestOrganizationClient, gadgetId: string): Promise<string[]> => {
  const path = `/events?object.type=gadget_state&object.gadget_id=${gadgetId}&sort=recorded_at:asc`;
  const { data } = await client.callOk('GET', path);
  const first = Date.parse(String(data[0]?.['created_at']));
  return data.map(({ object, created_at }) => {
    const seconds = (Date.parse(String(created_at)) - first) / 1000;
    return `${seconds} ${(object as { gadget_state_id: string }).gadget_state_id}`;
  });
};

const advance = async (bridge: TestBridge, seconds: number): Promise<void> => {
  bridge.advanceSeconds(seconds);
  await runVirtualGadgetTimers(bridge.services);
};

describeOnBothDatabases(
  'gadgets of a virtual device',
  bridge => {
    it('unlock a door and relock it after its strike time', async () => {
      const { client, gadgetIds } = await createGadgets(bridge(), [lock]);
      const [door] = gadgetIds as [string];
      expect(await stateOf(client, door)).toBe('locked');
      await act(client, door, 'open');
      expect(await stateOf(client, door)).toBe('unlocked');
      await advance(bridge(), 4);
      expect(await stateOf(client, door)).toBe('unlocked');
      await advance(bridge(), 3);
      expect(await stateOf(client, door)).toBe('locked');
      expect(await stateEvents(client, door)).toEqual(['0 unlocked', '5 locked']);
    });

    it('keep a door unlocked until it is locked', async () => {
      const { client, gadgetIds } = await createGadgets(bridge(), [lock]);
      const [door] = gadgetIds as [string];
      await act(client, door, 'unlock');
      await advance(bridge(), 600);
      expect(await stateOf(client, door)).toBe('unlocked');
      await act(client, door, 'lock');
      expect(await stateOf(client, door)).toBe('locked');
    });

    it('switch a light on and off', async () => {
      const { client, gadgetIds } = await createGadgets(bridge(), [light]);
      const [lamp] = gadgetIds as [string];
      for (const action of ['on', 'on', 'off']) await act(client, lamp, action);
      expect(await stateEvents(client, lamp)).toEqual(['0 on', '0 off']);
    });

    it('move a blind for its travel time, and stop it in between', async () => {
      const { client, gadgetIds } = await createGadgets(bridge(), [blind]);
      const [shade] = gadgetIds as [string];
      await act(client, shade, 'raise');
      await advance(bridge(), 20);
      await act(client, shade, 'lower');
      for (const seconds of [1, 4]) await advance(bridge(), seconds);
      await act(client, shade, 'stop');
      expect(await stateEvents(client, shade)).toEqual(['0 raising', '20 up', '21 lowering', '25 stopped']);
    });

    it('run without states that the definition lacks', async () => {
      const { client, gadgetIds } = await createGadgets(bridge(), [{ ...lock, states: parts('unlocked') }]);
      const [door] = gadgetIds as [string];
      await act(client, door, 'open');
      expect(await stateOf(client, door)).toBeNull();
    });

    it('fire triggers at each state, also of a relock', async () => {
      const { client, gadgetIds } = await createGadgets(bridge(), [lock, light]);
      const [door, lamp] = gadgetIds as [string, string];
      for (const [state, action] of [
        ['unlocked', 'on'],
        ['locked', 'off'],
      ]) {
        await client.callOk('POST', '/gadget_triggers', {
          source_type: 'state',
          source_gadget_id: door,
          source_state_id: state,
          target_gadget_id: lamp,
          target_action_id: action,
        });
      }
      await act(client, door, 'open');
      expect(await stateOf(client, lamp)).toBe('on');
      await advance(bridge(), 5);
      expect(await stateOf(client, lamp)).toBe('off');
    });

    it('stop two doors that open each other through their relocks', async () => {
      const { client, gadgetIds } = await createGadgets(bridge(), [lock, lock]);
      const [first, second] = gadgetIds as [string, string];
      for (const [source, target] of [
        [first, second],
        [second, first],
      ]) {
        await client.callOk('POST', '/gadget_triggers', {
          source_type: 'state',
          source_gadget_id: source,
          source_state_id: 'locked',
          target_gadget_id: target,
          target_action_id: 'open',
        });
      }
      await act(client, first, 'open');
      for (let relock = 0; relock < 12; relock++) await advance(bridge(), 5);
      const uses = (await client.callOk('GET', '/events?verb=use&object.type=gadget_action')).data;
      expect(uses).toHaveLength(9);
      const denials = (await client.callOk('GET', '/events?verb=deny')).data;
      expect(denials).toMatchObject([{ reason: 'trigger_chain_stopped' }]);
    });

    it('report states and signals of an administrator', async () => {
      const { client, gadgetIds } = await createGadgets(bridge(), [lock, light]);
      const [door, lamp] = gadgetIds as [string, string];
      const admin = await openAdminSession(bridge(), client.organizationId, 'owner');
      const trigger = { source_gadget_id: door, target_gadget_id: lamp };
      await client.callOk('POST', '/gadget_triggers', {
        ...trigger,
        source_type: 'signal',
        source_signal_id: 'bell',
        target_action_id: 'on',
      });
      await client.callOk('POST', '/gadget_triggers', {
        ...trigger,
        source_type: 'state',
        source_state_id: 'unlocked',
        target_action_id: 'off',
      });
      expect(await admin.call('POST', `/gadgets/${door}/signals/bell`, {})).toMatchObject({ status: 200 });
      expect(await stateOf(client, lamp)).toBe('on');
      const signals = (await client.callOk('GET', '/events?object.type=gadget_signal')).data;
      expect(signals).toMatchObject([
        { verb: 'use', subject: { user_id: admin.userId }, object: { gadget_id: door, gadget_signal_id: 'bell' } },
      ]);
      const edited = await admin.call('PATCH', `/gadgets/${door}`, { state_id: 'unlocked' });
      expect(edited).toMatchObject({ status: 200, body: { state_id: 'unlocked' } });
      expect(await stateOf(client, lamp)).toBe('off');
      await act(client, door, 'lock');
      expect(await stateOf(client, door)).toBe('locked');
      const unknown = await admin.call('POST', `/gadgets/${door}/signals/siren`, {});
      expect(unknown).toMatchObject({ status: 400, body: { args: { field: 'signal_id' } } });
    });

    it('refuse reports for a gadget with hardware, and from a viewer', async () => {
      const client = await bridge().newOrganization();
      const site_id = await createTestSite(bridge(), client);
      const { gadgetId } = await createTestDevice(bridge(), client, {
        site_id,
        product_id: 'rpi-gpio-acr122u',
        hardware_id: `hw_${client.organizationId}` as never,
        gadgets: [lock],
      });
      const path = `/gadgets/${gadgetId}/signals/bell`;
      const admin = await openAdminSession(bridge(), client.organizationId, 'owner');
      expect(await admin.call('POST', path, {})).toMatchObject({ status: 400, body: { args: { field: 'signal_id' } } });
      const viewer = await openAdminSession(bridge(), client.organizationId, 'viewer');
      expect(await viewer.call('POST', path, {})).toMatchObject({ status: 403 });
    });

    it('relock once after a restart, with any number of bridges', async () => {
      const { client, gadgetIds } = await createGadgets(bridge(), [lock]);
      const [door] = gadgetIds as [string];
      await act(client, door, 'open');
      const { dataDir, database } = bridge();
      const restarted = await TestBridge.open({ dataDir, database, ...options });
      try {
        for (const each of [bridge(), restarted]) each.now = bridge().now;
        for (const each of [bridge(), restarted]) each.advanceSeconds(60);
        await Promise.all(
          [restarted, bridge(), restarted, bridge()].map(({ services }) => runVirtualGadgetTimers(services)),
        );
      } finally {
        await restarted.bridge.close();
      }
      expect(await stateEvents(client, door)).toEqual(['0 unlocked', '5 locked']);
    });
  },
  options,
);
