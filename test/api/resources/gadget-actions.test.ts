import type { DeviceActionRequest, DeviceActionResult } from '@lintel/cloud-bridge/testing';
import { describe, expect, it } from 'vitest';
import { callAsOwner } from '../../support/bridge/admin-client.ts';
import { TestBridge, type TestOrganizationClient } from '../../support/bridge/test-bridge.ts';
import { describeOnBothDatabases } from '../../support/bridge/describe-on-both-databases.ts';
import { createTestDevice, createTestDoor, createTestSite } from '../../support/bridge/site-fixtures.ts';

const lastEvent = async (client: TestOrganizationClient, query: string) =>
  (await client.get(`/events?sort=recorded_at:desc&limit=1&${query}`)).body.data[0];

const realHardware = (bridge: TestBridge) => ({ hardware_id: bridge.services.newId('hardware') });

describeOnBothDatabases('gadget actions', bridge => {
  const withoutWhitelabel = async (client: TestOrganizationClient): Promise<void> => {
    const { writer } = bridge().services.storage;
    await writer.updateTable('organizations').set({ whitelabel: 0 }).where('id', '=', client.organizationId).execute();
  };

  it('always succeed on a virtual device, with a use event of the application', async () => {
    const client = await bridge().newOrganization();
    const { siteId, deviceId, gadgetId } = await createTestDoor(bridge(), client);
    expect(await client.callOk('POST', `/gadgets/${gadgetId}/actions/open`, {})).toEqual({});
    expect(await lastEvent(client, 'verb=use')).toMatchObject({
      verb: 'use',
      object: {
        type: 'gadget_action',
        gadget_id: gadgetId,
        gadget_action_id: 'open',
        device_id: deviceId,
        site_id: siteId,
      },
      subject: { oauth_application_id: client.applicationId, access_method: 'online', ip_address: '127.0.0.1' },
    });
    expect((await client.get(`/events?object.gadget_id=${gadgetId}&verb=use`)).body.data).toHaveLength(1);
  });

  it('accept only an empty object', async () => {
    const client = await bridge().newOrganization();
    const { gadgetId } = await createTestDoor(bridge(), client);
    const answer = await client.call('POST', `/gadgets/${gadgetId}/actions/open`, { now: true });
    expect(answer).toMatchObject({ status: 400, body: { args: { field: 'now' } } });
  });

  it('require the whitelabel feature', async () => {
    const client = await bridge().newOrganization();
    const { gadgetId } = await createTestDoor(bridge(), client);
    await withoutWhitelabel(client);
    const answer = await client.call('POST', `/gadgets/${gadgetId}/actions/open`, {});
    expect(answer).toMatchObject({ status: 403, body: { type: 'forbidden' } });
    expect(await lastEvent(client, 'verb=use')).toBeUndefined();
  });

  it('return 404 for an unknown action, a deleted gadget, a deleted site and another organization', async () => {
    const client = await bridge().newOrganization();
    const { siteId, gadgetId } = await createTestDoor(bridge(), client);
    const { gadgetId: second } = await createTestDevice(bridge(), client, { site_id: siteId });
    const open = `/gadgets/${gadgetId}/actions/open`;
    const member = await client.callOk('POST', '/members', {});
    const missing = async (path: string, caller = client): Promise<void> => {
      expect(await caller.call('POST', path, {})).toMatchObject({ status: 404, body: { type: 'not_found' } });
      expect((await caller.call('POST', `${path}/execute_as_member`, { member_id: member.id })).status).toBe(404);
    };
    await missing(`/gadgets/${gadgetId}/actions/fly`);
    await missing('/gadgets/gad_none/actions/open');
    await missing(open, await bridge().newOrganization());
    await callAsOwner(bridge(), client, 'DELETE', `/gadgets/${second}`);
    await missing(`/gadgets/${second}/actions/open`);
    await callAsOwner(bridge(), client, 'DELETE', `/sites/${siteId}?force=true`);
    await missing(open);
  });

  it('return 503 for offline hardware, without a use event', async () => {
    const client = await bridge().newOrganization();
    const site_id = await createTestSite(bridge(), client);
    const { gadgetId } = await createTestDevice(bridge(), client, { site_id, ...realHardware(bridge()) });
    const answer = await client.call('POST', `/gadgets/${gadgetId}/actions/open`, {});
    expect(answer).toMatchObject({ status: 503, body: { type: 'hardware_offline' } });
    expect(await lastEvent(client, 'verb=use')).toBeUndefined();
  });

  it('are rejected with a read-only token', async () => {
    const client = await bridge().newOrganization();
    const { gadgetId } = await createTestDoor(bridge(), client);
    const reader = await bridge().client(client.organizationId, client.applicationId, 'full_read_only');
    expect((await reader.call('POST', `/gadgets/${gadgetId}/actions/open`, {})).status).toBe(403);
  });
});

describeOnBothDatabases('execute_as_member', bridge => {
  const arrange = async (permissions: (door: { siteId: string; gadgetId: string }) => object[], site = {}) => {
    const client = await bridge().newOrganization();
    const door = await createTestDoor(bridge(), client, site);
    const group = await client.callOk('POST', '/member_groups', { name: 'Guests', permissions: permissions(door) });
    const member = await client.callOk('POST', '/members', { name: 'Ann' });
    const associations = `/members/${member.id}/group_associations`;
    const association = await client.callOk('POST', associations, { member_group_id: group.id });
    const path = `/gadgets/${door.gadgetId}/actions/open/execute_as_member`;
    const attempt = (more: object = {}) => client.call('POST', path, { member_id: member.id, ...more });
    const reason = async (more: object = {}) => {
      const { status, body } = await attempt(more);
      expect([status, body['type']]).toEqual([403, 'permission_denied']);
      return (body['args'] as { reason: string }).reason;
    };
    return { client, ...door, group, member, association: `${associations}/${association.id}`, attempt, reason };
  };

  it('checks the rules of the groups, and records the member', async () => {
    const { client, member, gadgetId, attempt } = await arrange(({ gadgetId }) => [
      { gadget_id: gadgetId, action_id: 'open' },
    ]);
    expect(await attempt()).toMatchObject({ status: 200, body: {} });
    expect(await lastEvent(client, `subject.member_id=${member.id}`)).toMatchObject({
      verb: 'use',
      subject: { member_id: member.id, access_method: 'online', oauth_application_id: client.applicationId },
      object: { type: 'gadget_action', gadget_id: gadgetId, gadget_action_id: 'open' },
    });
  });

  it('does not require the whitelabel feature', async () => {
    const { client, attempt } = await arrange(() => [{}]);
    const { writer } = bridge().services.storage;
    await writer.updateTable('organizations').set({ whitelabel: 0 }).where('id', '=', client.organizationId).execute();
    expect((await attempt()).status).toBe(200);
  });

  it('returns the denial reason, and records the denial as an event', async () => {
    const { client, member, gadgetId, reason } = await arrange(({ gadgetId }) => [
      { gadget_id: gadgetId, action_id: 'hold' },
    ]);
    expect(await reason()).toBe('no_matching_rule');
    expect(await lastEvent(client, 'verb=deny')).toMatchObject({
      verb: 'deny',
      reason: 'no_matching_rule',
      subject: { member_id: member.id, access_method: 'online', oauth_application_id: client.applicationId },
      object: { type: 'gadget_action', gadget_id: gadgetId, gadget_action_id: 'open' },
    });
    expect(await lastEvent(client, 'verb=use')).toBeUndefined();
  });

  it('rejects an unknown member as an invalid field, and denies a deleted member', async () => {
    const { client, member, attempt, reason } = await arrange(() => [{}]);
    const elsewhere = await (await bridge().newOrganization()).callOk('POST', '/members', {});
    for (const member_id of ['mem_none', elsewhere.id]) {
      expect(await attempt({ member_id })).toMatchObject({ status: 400, body: { args: { field: 'member_id' } } });
    }
    expect((await attempt({ member_id: 7 })).status).toBe(400);
    await client.callOk('DELETE', `/members/${member.id}`);
    expect(await reason()).toBe('member_deleted');
    await client.callOk('PATCH', `/members/${member.id}`, { is_deleted: false });
    expect((await attempt()).status).toBe(200);
  });

  it('checks the dates of the member, then of the associations', async () => {
    const { client, member, association, reason } = await arrange(() => [{}]);
    await client.callOk('PATCH', `/members/${member.id}`, { starts_at: '2026-06-01T10:00:00.001Z' });
    expect(await reason()).toBe('member_not_started');
    await client.callOk('PATCH', `/members/${member.id}`, { starts_at: null, ends_at: '2026-06-01T10:00:00Z' });
    expect(await reason()).toBe('member_ended');
    await client.callOk('PATCH', `/members/${member.id}`, { ends_at: null });
    await client.callOk('DELETE', association);
    expect(await reason()).toBe('no_group');
  });

  it('checks access methods and schedules, in site-local time', async () => {
    const { client, group, attempt, reason } = await arrange(() => [{ access_methods: { pin: true } }]);
    expect(await reason()).toBe('method_not_allowed');
    // 2026-06-01 is a Monday; 10:00 UTC is 12:00 in Madrid.
    const day = (start: number, end: number) => ({ ranges: [{ start: start * 3600, end: end * 3600 }] });
    const noRanges = Array.from({ length: 6 }, () => ({ ranges: [] }));
    const noon = await client.callOk('POST', '/schedules', { name: 'noon', weekdays: [day(12, 13), ...noRanges] });
    const ten = await client.callOk('POST', '/schedules', { name: 'ten', weekdays: [day(10, 11), ...noRanges] });
    const allow = (schedule: string) =>
      client.callOk('PATCH', `/member_groups/${group.id}`, { permissions: [{ schedule_id: schedule }] });
    await allow(ten.id);
    expect(await reason()).toBe('out_of_schedule');
    await allow(noon.id);
    expect((await attempt()).status).toBe(200);
    await client.callOk('DELETE', `/schedules/${noon.id}`);
    expect(await reason()).toBe('no_matching_rule');
  });

  it('requires presence if a rule does, and records the accuracy', async () => {
    const geo = { location: { lat: 41.4, lng: 2.2 }, radius: 100 };
    const { client, attempt, reason } = await arrange(() => [{ presence: 'gps' }], { geo });
    expect(await reason()).toBe('not_present');
    expect(await reason({ location: { lat: 41.5, lng: 2.2, accuracy: 5000 } })).toBe('not_present');
    expect((await attempt({ location: { lat: 41.4001, lng: 2.2, accuracy: 12.5 } })).status).toBe(200);
    expect(await lastEvent(client, 'verb=use')).toMatchObject({
      details: { location: '41.4001,2.2', location_accuracy: '12.5' },
    });
    const wrong = await attempt({ location: { lat: 91, lng: 0 } });
    expect(wrong).toMatchObject({ status: 400, body: { args: { field: 'location.lat' } } });
  });

  it('follows group inheritance to any depth', async () => {
    const { client, group, gadgetId, attempt, reason } = await arrange(({ gadgetId }) => [{ gadget_id: gadgetId }]);
    let top = group.id;
    for (let depth = 0; depth < 4; depth++) {
      const permissions = [{ member_group_id: top, ...(depth === 2 ? { gadget_id: gadgetId } : {}) }];
      top = (await client.callOk('POST', '/member_groups', { name: `floor ${depth}`, permissions })).id;
    }
    const heir = await client.callOk('POST', '/members', {});
    await client.callOk('POST', `/members/${heir.id}/group_associations`, { member_group_id: top });
    expect((await attempt({ member_id: heir.id })).status).toBe(200);
    await client.callOk('DELETE', `/member_groups/${group.id}`);
    expect(await reason({ member_id: heir.id })).toBe('no_matching_rule');
  });

  it('returns 404 for an action that the gadget no longer has', async () => {
    const { client, gadgetId, attempt } = await arrange(() => [{}]);
    await callAsOwner(bridge(), client, 'PATCH', `/gadgets/${gadgetId}`, { actions: [{ id: 'hold', name: 'Hold' }] });
    expect((await attempt()).status).toBe(404);
  });

  it('reports offline hardware only after the permission check', async () => {
    const { client, member, siteId, reason } = await arrange(({ gadgetId }) => [{ gadget_id: gadgetId }]);
    const { gadgetId } = await createTestDevice(bridge(), client, { site_id: siteId, ...realHardware(bridge()) });
    const path = `/gadgets/${gadgetId}/actions/open/execute_as_member`;
    expect((await client.call('POST', path, { member_id: member.id })).status).toBe(403);
    const all = await client.callOk('POST', '/member_groups', { name: 'All', permissions: [{}] });
    await client.callOk('POST', `/members/${member.id}/group_associations`, { member_group_id: all.id });
    expect(await client.call('POST', path, { member_id: member.id })).toMatchObject({ status: 503 });
    expect(await reason({ member_id: (await client.callOk('POST', '/members', {})).id })).toBe('no_group');
  });
});

describe('action on a connected device', () => {
  it('is sent to the device, and recorded after the device has executed it', async () => {
    const orders: DeviceActionRequest[] = [];
    let outcome: DeviceActionResult = 'done';
    const execute = async (order: DeviceActionRequest): Promise<DeviceActionResult> => {
      orders.push(order);
      return outcome;
    };
    const bridge = await TestBridge.open({ actions: { execute } });
    const client = await bridge.newOrganization();
    const site_id = await createTestSite(bridge, client);
    const { deviceId, gadgetId } = await createTestDevice(bridge, client, { site_id, ...realHardware(bridge) });
    await client.callOk('POST', `/gadgets/${gadgetId}/actions/hold`, {});
    expect(orders).toMatchObject([
      {
        organizationId: client.organizationId,
        action: { device: { id: deviceId }, gadget: { id: gadgetId }, actionId: 'hold' },
        actor: { access_method: 'online' },
      },
    ]);
    expect((await client.get('/events?verb=use')).body.data).toHaveLength(1);
    outcome = 'offline';
    expect((await client.call('POST', `/gadgets/${gadgetId}/actions/hold`, {})).status).toBe(503);
    expect((await client.get('/events?verb=use')).body.data).toHaveLength(1);
    await bridge.close();
  });
});
