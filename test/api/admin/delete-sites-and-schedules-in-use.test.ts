import { describe, expect, it } from 'vitest';
import { callAsOwner, openAdminSession } from '../../support/bridge/admin-client.ts';
import { describeOnSqliteFirst } from '../../support/bridge/describe-on-both-databases.ts';
import { createTestDevice, createTestSite } from '../../support/bridge/site-fixtures.ts';
import { ControllerSite } from '../../support/devices/controller-site.ts';

describeOnSqliteFirst('sites and schedules in use', bridge => {
  const arrange = async () => {
    const client = await bridge().newOrganization();
    const admin = await openAdminSession(bridge(), client.organizationId, 'administrator');
    return { client, admin };
  };

  /** Two doors of a site with a trigger between them, one of which a device of another site opens, too. */
  const newSiteInUse = async () => {
    const { client, admin } = await arrange();
    const site_id = await createTestSite(bridge(), client);
    const used = await createTestDevice(bridge(), client, { site_id, name: 'Front door' });
    const second = await createTestDevice(bridge(), client, { site_id, name: 'Back door' });
    const other = await createTestDevice(bridge(), client, { site_id: await createTestSite(bridge(), client) });
    const setRules = (device: string, rules: readonly (readonly [string, string])[]): Promise<unknown> =>
      admin.callOk('PUT', `/devices/${device}/input_rules`, {
        input_rules: rules.map(([code, gadget_id]) => ({ code, gadget_id, action_id: 'open' })),
      });
    await setRules(other.deviceId, [
      ['', other.gadgetId],
      ['*1', used.gadgetId],
    ]);
    await setRules(used.deviceId, [
      ['', used.gadgetId],
      ['*2', second.gadgetId],
    ]);
    const trigger = await client.callOk('POST', '/gadget_triggers', {
      source_type: 'state',
      source_gadget_id: used.gadgetId,
      source_state_id: 'unlocked',
      target_gadget_id: second.gadgetId,
      target_action_id: 'open',
    });
    const paths = [
      `/sites/${site_id}`,
      ...[used, second].flatMap(({ deviceId, gadgetId }) => [`/devices/${deviceId}`, `/gadgets/${gadgetId}`]),
      `/gadget_triggers/${trigger.id}`,
      `/devices/${other.deviceId}`,
    ];
    const read = (): Promise<object[]> => Promise.all(paths.map(path => client.callOk('GET', path)));
    return { client, admin, site_id, used, second, other, read };
  };

  it('a site with devices is not deleted, and the answer names them', async () => {
    const { client, admin, site_id, used, second, read } = await newSiteInUse();
    const before = await read();
    const { status, body } = await admin.call('DELETE', `/sites/${site_id}`);
    expect([status, body]).toMatchObject([400, { type: 'invalid_request', args: { field: 'site_id' } }]);
    for (const name of ['Front door', used.deviceId, 'Back door', second.deviceId, 'force=true'])
      expect(body['message']).toContain(name);
    expect(await read()).toEqual(before);
    expect(await client.callOk('POST', `/gadgets/${used.gadgetId}/actions/open`, {})).toEqual({});
  });

  it('force deletes its devices, gadgets and triggers and the rules that lead there', async () => {
    const { client, admin, site_id, used, other } = await newSiteInUse();
    await admin.callOk('DELETE', `/sites/${site_id}?force=true`);
    for (const list of ['devices', 'gadgets', 'gadget_triggers'])
      expect((await client.callOk('GET', `/${list}?site_id=${site_id}`)).data).toEqual([]);
    expect((await client.callOk('GET', `/devices/${other.deviceId}`))['input_rules']).toHaveLength(1);
    expect((await client.call('POST', `/gadgets/${used.gadgetId}/actions/open`, {})).status).toBe(404);
    const events = (await client.callOk('GET', '/events?verb=delete')).data;
    expect(events.map(({ object }) => (object as { type: string }).type).sort()).toEqual(
      ['device', 'device', 'gadget', 'gadget', 'gadget_trigger', 'site'].sort(),
    );
    const refersThere = [
      await admin.call('PUT', `/devices/${other.deviceId}/input_rules`, {
        input_rules: [{ code: '', gadget_id: used.gadgetId, action_id: 'open' }],
      }),
      await client.call('POST', '/member_groups', { permissions: [{ gadget_id: used.gadgetId }] }),
      await client.call('POST', '/member_groups', { permissions: [{ site_id }] }),
    ];
    expect(refersThere.map(({ status }) => status)).toEqual([400, 400, 400]);
  });

  it('undeleting a site brings back what was deleted with it', async () => {
    const { client, admin, site_id, used, read } = await newSiteInUse();
    const before = await read();
    await admin.callOk('DELETE', `/sites/${site_id}?force=true`);
    expect((await admin.call('PATCH', `/sites/${site_id}`, { name: 'New' })).status).toBe(404);
    expect(await admin.callOk('PATCH', `/sites/${site_id}`, { is_deleted: false })).toEqual(before[0]);
    expect(await read()).toEqual(before);
    expect(await client.callOk('POST', `/gadgets/${used.gadgetId}/actions/open`, {})).toEqual({});
    await admin.callOk('DELETE', `/sites/${site_id}?force=true`);
    await admin.callOk('PATCH', `/sites/${site_id}`, { is_deleted: false });
    expect(await read()).toMatchObject(before.map(({ id }: { id?: string }) => ({ id, is_deleted: false })));
  });

  it('what was deleted before the site, or does not exist any more, stays deleted', async () => {
    const { client, admin, site_id, used, second, other } = await newSiteInUse();
    await admin.callOk('DELETE', `/devices/${second.deviceId}?force=true`);
    await admin.callOk('DELETE', `/sites/${site_id}?force=true`);
    await admin.callOk('DELETE', `/devices/${other.deviceId}`);
    await admin.callOk('PATCH', `/sites/${site_id}`, { is_deleted: false });
    expect((await client.callOk('GET', '/devices')).data.map(({ id }) => id)).toEqual([used.deviceId]);
    expect((await client.callOk('GET', '/gadget_triggers')).data).toEqual([]);
    expect((await admin.call('PATCH', `/sites/${site_id}`, { is_deleted: true })).body).toMatchObject({
      args: { field: 'is_deleted' },
    });
  });

  it('a viewer, a technician and the front desk cannot delete or undelete a site', async () => {
    const { client, site_id } = await newSiteInUse();
    for (const role of ['viewer', 'technician', 'front_desk'] as const) {
      const admin = await openAdminSession(bridge(), client.organizationId, role);
      expect([role, (await admin.call('DELETE', `/sites/${site_id}?force=true`)).status]).toEqual([role, 403]);
      expect((await admin.call('PATCH', `/sites/${site_id}`, { is_deleted: false })).status).toBe(403);
    }
  });

  it('a schedule that a gadget trigger uses is deleted only with force', async () => {
    const { client, second } = await newSiteInUse();
    const schedule = await client.callOk('POST', '/schedules', {
      name: 'Night',
      weekdays: Array.from({ length: 7 }, () => ({ ranges: [{ start: 0, end: 3600 }] })),
    });
    const trigger = await client.callOk('POST', '/gadget_triggers', {
      source_type: 'schedule',
      source_schedule_id: schedule.id,
      source_schedule_event: 'enter',
      target_gadget_id: second.gadgetId,
      target_action_id: 'open',
    });
    const refused = await client.call('DELETE', `/schedules/${schedule.id}`);
    expect(refused).toMatchObject({ status: 400, body: { args: { field: 'schedule_id', id: trigger.id } } });
    expect(refused.body.message).toContain(trigger.id);
    expect(await client.callOk('DELETE', `/schedules/${schedule.id}?force=true`)).toMatchObject({ is_deleted: true });
    expect(await client.callOk('GET', `/gadget_triggers/${trigger.id}`)).toMatchObject({ is_deleted: true });
  });

  describe('with a real controller', () => {
    it('the controller of an undeleted site connects again with its certificate', async () => {
      const { client, controller, siteId, url, gadgetId } = await ControllerSite.openConnected(bridge());
      const closed = new Promise<void>(resolve => {
        controller.mqtt.once('close', () => resolve());
      });
      await callAsOwner(bridge(), client, 'DELETE', `/sites/${siteId}?force=true`);
      await closed;
      await expect(controller.start(url)).rejects.toThrow();
      await callAsOwner(bridge(), client, 'PATCH', `/sites/${siteId}`, { is_deleted: false });
      expect((await client.callOk('GET', `/devices/${controller.deviceId}`))['status']).toMatchObject({
        online: false,
      });
      await controller.start(url);
      await controller.waitUntil(() => controller.entries.has(`gadget ${gadgetId}`), 'its gadget');
      await controller.stop();
    });
  });
});
