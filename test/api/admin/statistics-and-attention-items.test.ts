import { insertIncident } from '@lintel/cloud-bridge/testing';
import { instant } from '@lintel/access-core/instant';
import { beforeAll, describe, expect, it } from 'vitest';
import { type AdminClient, openAdminSession } from '../../support/bridge/admin-client.ts';
import { describeOnSqliteFirst } from '../../support/bridge/describe-on-both-databases.ts';
import { createTestDoor, reportTestStatus } from '../../support/bridge/site-fixtures.ts';
import type { ApiBody, TestOrganizationClient } from '../../support/bridge/test-bridge.ts';

describeOnSqliteFirst('overview of an organization', bridge => {
  let client: TestOrganizationClient;
  let owner: AdminClient;
  let busy: Awaited<ReturnType<typeof createTestDoor>>;
  let quiet: Awaited<ReturnType<typeof createTestDoor>>;

  beforeAll(async () => {
    client = await bridge().newOrganization();
    owner = await openAdminSession(bridge(), client.organizationId, 'owner');
    busy = await createTestDoor(bridge(), client);
    quiet = await createTestDoor(bridge(), client);
  });

  describe('GET /statistics/member_groups', () => {
    it('counts each living member of a group once', async () => {
      const group = await owner.callOk('POST', '/member_groups', { name: 'Staff' });
      await owner.callOk('POST', '/member_groups', { name: 'Empty' });
      const join = async (name: string, times: number): Promise<string> => {
        const { id } = await owner.callOk('POST', '/members', { name });
        for (let time = 0; time < times; time++)
          await owner.callOk('POST', `/members/${id}/group_associations`, { member_group_id: group.id });
        return id;
      };
      await join('Twice', 2);
      await join('Once', 1);
      await owner.callOk('DELETE', `/members/${await join('Deleted', 1)}`);
      const left = await join('Left', 1);
      const { body } = await owner.get(`/members/${left}/group_associations`);
      await owner.callOk('DELETE', `/members/${left}/group_associations/${body.data[0]!.id}`);
      expect(await owner.callOk('GET', '/statistics/member_groups')).toEqual({
        member_groups: [{ member_group_id: group.id, members: 2 }],
      });
      await join('Later', 1);
      expect(await owner.callOk('GET', '/statistics/member_groups')).toEqual({
        member_groups: [{ member_group_id: group.id, members: 3 }],
      });
    });
  });

  describe('GET /statistics/activity', () => {
    const at = async (time: string, work: () => Promise<unknown>): Promise<void> => {
      bridge().now = instant(Date.parse(time));
      await work();
    };
    const open = (gadgetId: string) => owner.callOk('POST', `/gadgets/${gadgetId}/actions/open`, {});

    beforeAll(async () => {
      const { id } = await client.callOk('POST', '/members', {});
      await at('2026-06-01T21:30:00Z', () => open(busy.gadgetId));
      await at('2026-06-01T22:30:00Z', () => open(busy.gadgetId));
      await at('2026-06-02T10:00:00Z', () => open(quiet.gadgetId));
      await at('2026-06-02T10:59:59Z', () =>
        owner.call('POST', `/gadgets/${busy.gadgetId}/actions/open/execute_as_member`, { member_id: id }),
      );
      // The access token has expired.
      client = await bridge().client(client.organizationId, client.applicationId, 'full_read_write');
    });

    const activity = (query: string): Promise<ApiBody> => owner.callOk('GET', `/statistics/activity?${query}`);

    it('counts openings and denials by hour', async () => {
      const result = await activity('from=2026-06-02T09:10:00Z&to=2026-06-02T11:30:00Z&bucket=hour');
      expect(result).toMatchObject({ openings: 1, denials: 1, bucket: 'hour' });
      expect(result['buckets']).toEqual([
        { starts_at: '2026-06-02T09:00:00.000Z', openings: 0, denials: 0 },
        { starts_at: '2026-06-02T10:00:00.000Z', openings: 1, denials: 1 },
        { starts_at: '2026-06-02T11:00:00.000Z', openings: 0, denials: 0 },
      ]);
    });

    it('counts by day of the time zone, and lists the busiest gadgets', async () => {
      const period = 'from=2026-05-31T22:00:00Z&to=2026-06-02T22:00:00Z';
      const result = await activity(`${period}&timezone=Europe/Berlin`);
      expect(result['buckets']).toEqual([
        { starts_at: '2026-05-31T22:00:00.000Z', openings: 1, denials: 0 },
        { starts_at: '2026-06-01T22:00:00.000Z', openings: 2, denials: 1 },
      ]);
      expect(result['gadgets']).toMatchObject([
        { gadget_id: busy.gadgetId, openings: 2, denials: 1 },
        { gadget_id: quiet.gadgetId, openings: 1, denials: 0 },
      ]);
    });

    it.each([
      ['bucket', 'bucket=minute'],
      ['timezone', 'timezone=Mars/Base'],
      ['from', 'from=2026-06-02T00:00:00Z&to=2026-06-01T00:00:00Z'],
      ['from', 'from=2026-01-01T00:00:00Z&to=2026-06-01T00:00:00Z&bucket=hour'],
      ['from', 'from=yesterday'],
      ['color', 'color=red'],
    ])('rejects an invalid %s', async (field, query) => {
      const { status, body } = await owner.get(`/statistics/activity?${query}`);
      expect([status, (body['args'] as Record<string, string>)['field']]).toEqual([400, field]);
    });
  });

  describe('GET /attention', () => {
    const kinds = async (caller: AdminClient) =>
      ((await caller.callOk('GET', '/attention'))['items'] as { kind: string }[]).map(({ kind }) => kind);

    it('is empty when everything works', async () => {
      expect(await kinds(owner)).toEqual([]);
    });

    it('lists alarms, faults, low batteries and failing webhooks that the caller may see', async () => {
      const { writer } = bridge().services.storage;
      const webhook = await client.callOk('POST', '/webhooks', { url: 'http://hook.invalid' });
      await writer.updateTable('webhooks').set({ failing_since: 1 }).where('id', '=', webhook.id).execute();
      await writer.updateTable('gadgets').set({ state_id: 'forced' }).where('id', '=', busy.gadgetId).execute();
      const status = {
        online: false,
        mains_present: true,
        battery_present: true,
        battery_charging: false,
        battery_percent: 7,
        faults: [
          { code: 'tamper', since: '2026-06-01T00:00:00.000Z', message: 'the housing is open' },
          { code: 'disk_almost_full', since: '2026-06-01T00:00:00.000Z', message: 'The disk is almost full (91 %)' },
        ],
      };
      await reportTestStatus(bridge(), client.organizationId, busy.deviceId, status);
      expect(await kinds(owner)).toEqual([
        'door_forced',
        'device_fault',
        'device_fault',
        'device_offline',
        'low_battery',
        'webhook_failing',
      ]);
      const items = (await owner.callOk('GET', '/attention'))['items'] as object[];
      expect(items[1]).toMatchObject({ severity: 'alarm', fault: 'tamper', device_id: busy.deviceId });
      expect(items[2]).toMatchObject({ severity: 'warning', fault: 'disk_almost_full', device_id: busy.deviceId });
      expect(items[3]).toMatchObject({ since: '1970-01-01T00:00:02.000Z', site_id: busy.siteId });
      const desk = await openAdminSession(bridge(), client.organizationId, 'front_desk');
      expect(await kinds(desk)).not.toContain('webhook_failing');
      const technician = await openAdminSession(bridge(), client.organizationId, 'technician', [quiet.siteId]);
      expect(await kinds(technician)).toEqual([]);
    });

    it('lists incidents that were not acknowledged', async () => {
      const incident = await insertIncident(bridge().services, client.organizationId);
      const [first] = (await owner.callOk('GET', '/attention'))['items'] as object[];
      expect(first).toMatchObject({
        kind: 'incident',
        severity: 'alarm',
        fault: 'bridge_behind',
        incident_id: incident,
      });
    });

    it('counts the members whose changes a controller lacks', async () => {
      const permissions = [{ gadget_id: busy.gadgetId }];
      const group = await owner.callOk('POST', '/member_groups', { name: 'Staff', permissions });
      for (const name of ['Ann', 'Ben']) {
        const { id } = await owner.callOk('POST', '/members', { name });
        await owner.callOk('POST', `/members/${id}/group_associations`, { member_group_id: group.id });
      }
      const items = (await owner.callOk('GET', '/attention'))['items'] as { kind: string }[];
      expect(items.find(({ kind }) => kind === 'credentials_pending')).toMatchObject({
        severity: 'notice',
        count: 2,
        device_id: busy.deviceId,
      });
    });
  });
});

describeOnSqliteFirst('GET /installation', bridge => {
  it('shows version, address and setup of the bridge to every role', async () => {
    const { organizationId } = await bridge().newOrganization();
    const technician = await openAdminSession(bridge(), organizationId, 'technician');
    expect(await technician.callOk('GET', '/installation')).toEqual({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      public_url: 'http://bridge.test',
      database: bridge().services.storage.engine,
      sends_email: false,
    });
  });
});
