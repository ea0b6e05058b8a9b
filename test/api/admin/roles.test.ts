import { declaredApis, roleAllows } from '@lintel/cloud-bridge/testing';
import { type Role, roles } from '@lintel/wire-protocol/admin/role';
import { beforeAll, describe, expect, it } from 'vitest';
import { type AdminClient, openAdminSession, adminWithToken } from '../../support/bridge/admin-client.ts';
import type { TestOrganizationClient } from '../../support/bridge/test-bridge.ts';
import { describeOnBothDatabases } from '../../support/bridge/describe-on-both-databases.ts';
import { createTestDevice, createTestDoor } from '../../support/bridge/site-fixtures.ts';

describeOnBothDatabases(
  'admin roles',
  bridge => {
    let organizationId: string;
    let here: Awaited<ReturnType<typeof createTestDoor>>;
    let elsewhere: Awaited<ReturnType<typeof createTestDoor>>;
    let client: TestOrganizationClient;
    const people = new Map<string, AdminClient>();

    beforeAll(async () => {
      client = await bridge().newOrganization();
      organizationId = client.organizationId;
      here = await createTestDoor(bridge(), client);
      elsewhere = await createTestDoor(bridge(), client);
      for (const role of roles) {
        people.set(
          role,
          await openAdminSession(bridge(), organizationId, role, role === 'technician' ? [here.siteId] : []),
        );
      }
      people.set('nobody', await openAdminSession(bridge(), organizationId, null));
    });

    const as = (role: Role | 'nobody'): AdminClient => people.get(role)!;

    const statuses = async (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: object) => {
      const found: Record<string, number> = {};
      for (const [role, person] of people) found[role] = (await person.call(method, path, body)).status;
      return found;
    };
    const all = { owner: 200, administrator: 200, front_desk: 200, viewer: 200, technician: 200, nobody: 404 };

    it('let every user of the organization, and no other user, read it and its sites', async () => {
      const { deviceId, gadgetId, siteId } = here;
      for (const path of [
        '',
        '/sites',
        `/sites/${siteId}`,
        '/products',
        '/products/virtual',
        '/devices',
        `/devices/${deviceId}`,
        '/gadgets',
        `/gadgets/${gadgetId}`,
      ]) {
        expect({ path, ...(await statuses('GET', path)) }).toEqual({ path, ...all });
      }
      for (const path of [`/devices/${deviceId}/input_rules`, '/claim_tickets']) {
        expect({ path, ...(await statuses('GET', path)) }).toEqual({ path, ...all, front_desk: 403 });
      }
    });

    it('hide users and applications from technicians and the front desk', async () => {
      for (const path of ['/users', '/applications', '/authorizations']) {
        const readers = { ...all, front_desk: 403, technician: 403 };
        expect({ path, ...(await statuses('GET', path)) }).toEqual({ path, ...readers });
      }
    });

    it('let technicians write devices, input rules and claim tickets, and viewers nothing', async () => {
      const { deviceId, siteId } = here;
      const writers = { ...all, front_desk: 403, viewer: 403 };
      expect(await statuses('PATCH', `/devices/${deviceId}`, { name: 'Front' })).toEqual(writers);
      expect(await statuses('PUT', `/devices/${deviceId}/input_rules`, { input_rules: [] })).toEqual(writers);
      expect(await statuses('POST', `/devices/${deviceId}/input_rules/copy`, { device_ids: [deviceId] })).toEqual(
        writers,
      );
      expect(await statuses('POST', '/claim_tickets', { site_id: siteId })).toEqual(writers);
    });

    it('let the front desk manage members, credentials and cards, and open doors', async () => {
      const { gadgetId } = here;
      const deskWriters = { ...all, viewer: 403, technician: 403 };
      const readers = { ...all, technician: 403 };
      const { id } = await as('owner').callOk('POST', '/members', { name: 'Ann' });
      const pin = await as('owner').callOk('POST', `/members/${id}/pins`, { length: 6 });
      expect(await statuses('PATCH', `/members/${id}`, { name: 'Ann Lee' })).toEqual(deskWriters);
      expect(await statuses('POST', `/members/${id}/pins`, { length: 6 })).toEqual(deskWriters);
      expect(await statuses('POST', `/members/${id}/pins/${pin.id}/reveal`, {})).toEqual(deskWriters);
      expect(await statuses('POST', `/gadgets/${gadgetId}/actions/open`, {})).toEqual(deskWriters);
      for (const path of ['/members', '/member_groups', '/schedules', '/cards', '/tags', '/events']) {
        expect({ path, ...(await statuses('GET', path)) }).toEqual({ path, ...readers });
      }
      for (const [path, body] of [
        ['/member_groups', { name: 'Staff' }],
        ['/tags', { name: 'VIP' }],
      ] as const) {
        expect({ path, ...(await statuses('POST', path, body)) }).toEqual({ path, ...deskWriters, front_desk: 403 });
      }
    });

    it('tell the client which permissions it has', async () => {
      const { permissions } = await as('front_desk').callOk('GET', '');
      expect(permissions).toEqual(expect.arrayContaining(['members.write', 'gadgets.execute']));
      expect(permissions).not.toContain('users.read');
      const list = await as('viewer').callRoot('GET', '/organizations');
      expect(list.body.data[0]!['permissions']).toEqual(expect.arrayContaining(['members.read']));
      expect(list.body.data[0]!['permissions']).not.toContain('members.write');
    });

    it('let owners and administrators write everything else', async () => {
      const { deviceId, siteId } = here;
      const writers = { ...all, front_desk: 403, viewer: 403, technician: 403 };
      expect(await statuses('PATCH', '', { name: 'Hotel' })).toEqual(writers);
      expect(await statuses('POST', '/sites', { name: 'Annex' })).toEqual(writers);
      expect(await statuses('PATCH', `/sites/${siteId}`, { info: 'Ring twice' })).toEqual(writers);
      expect(await statuses('POST', '/devices', { site_id: siteId, name: 'D', product_id: 'virtual' })).toEqual(
        writers,
      );
      expect(await statuses('POST', '/gadgets', { device_id: deviceId, name: 'Gate' })).toEqual(writers);
      expect(await statuses('PATCH', `/gadgets/${here.gadgetId}`, { name: 'Door' })).toEqual(writers);
      expect(await statuses('POST', '/applications', { name: 'PMS' })).toEqual(writers);
    });

    it('match the role table for every endpoint', async () => {
      const known: Readonly<Record<string, string>> = { organization_id: organizationId };
      for (const { method, path, requiredPermission } of declaredApis.admin.endpoints) {
        if (requiredPermission === null) continue;
        const address = path.replaceAll(/:([a-z_]+)/g, (_, name: string) => known[name] ?? 'x_0');
        for (const role of roles) {
          const { status } = await as(role).callRoot(
            method,
            address,
            method === 'GET' ? undefined : { unknown_field: 1 },
          );
          expect([role, method, path, status === 403]).toEqual([
            role,
            method,
            path,
            !roleAllows(role, requiredPermission),
          ]);
        }
      }
    });

    describe('technician role', () => {
      it('sees only the assigned sites and their devices', async () => {
        const technician = as('technician');
        const ids = async (path: string) => (await technician.get(path)).body.data.map(({ id }) => id);
        expect(await ids('/sites')).toEqual([here.siteId]);
        expect(await ids('/devices')).toContain(here.deviceId);
        expect(await ids('/devices')).not.toContain(elsewhere.deviceId);
        expect(await ids('/gadgets')).toContain(here.gadgetId);
        expect(await ids('/gadgets')).not.toContain(elsewhere.gadgetId);
        const site = await technician.get(`/sites/${here.siteId}?expand=devices.gadgets`);
        expect(JSON.stringify(site.body)).toContain(here.gadgetId);
      });

      it('gets 404 for every path of another site', async () => {
        const { deviceId, gadgetId, siteId } = elsewhere;
        const technician = as('technician');
        for (const path of [`/sites/${siteId}`, `/devices/${deviceId}`, `/gadgets/${gadgetId}`]) {
          expect((await technician.get(path)).status).toBe(404);
        }
        const writes = [
          ['PATCH', `/devices/${deviceId}`, { name: 'Mine' }],
          ['POST', `/devices/${deviceId}/replace`, { hardware_id: 'hw_1' }],
          ['PUT', `/devices/${deviceId}/input_rules`, { input_rules: [] }],
          ['POST', `/devices/${deviceId}/input_rules/copy`, { device_ids: [here.deviceId] }],
        ] as const;
        for (const [method, path, body] of writes) {
          expect([path, (await technician.call(method, path, body)).status]).toEqual([path, 404]);
        }
        expect((await technician.get(`/devices/${deviceId}/input_rules`)).status).toBe(404);
        const { id } = await as('owner').callOk('POST', '/claim_tickets', { site_id: siteId });
        expect((await technician.call('DELETE', `/claim_tickets/${id}`)).status).toBe(404);
        expect((await technician.get('/claim_tickets')).body.data.map(ticket => ticket['site_id'])).not.toContain(
          siteId,
        );
      });

      it('gets 400 with the field when a body refers to another site', async () => {
        const technician = as('technician');
        const field = async (method: 'POST' | 'PUT', path: string, body: object) => {
          const { status, body: answer } = await technician.call(method, path, body);
          return [status, (answer['args'] as Record<string, string>)['field']];
        };
        expect(await field('POST', '/claim_tickets', { site_id: elsewhere.siteId })).toEqual([400, 'site_id']);
        const copy = `/devices/${here.deviceId}/input_rules/copy`;
        expect(await field('POST', copy, { device_ids: [here.deviceId, elsewhere.deviceId] })).toEqual([
          400,
          'device_ids.1',
        ]);
        const rules = [{ code: '', gadget_id: elsewhere.gadgetId, action_id: 'open' }];
        const at = `/devices/${here.deviceId}/input_rules`;
        expect(await field('PUT', at, { input_rules: rules })).toEqual([400, 'input_rules.0.gadget_id']);
        await as('owner').callOk('PUT', at, { input_rules: rules });
        const kept = [...rules, { code: '*1', gadget_id: here.gadgetId, action_id: 'open' }];
        expect((await technician.call('PUT', at, { input_rules: kept })).status).toBe(200);
        const changed = [
          { ...rules[0], code: '*9' },
          { ...rules[0], action_id: 'hold' },
        ];
        for (const rule of changed)
          expect(await field('PUT', at, { input_rules: [rule] })).toEqual([400, 'input_rules.0.gadget_id']);
        expect(await field('PUT', at, { input_rules: [] })).toEqual([400, 'input_rules']);
        const second = await createTestDevice(bridge(), client, { site_id: here.siteId });
        expect(await field('POST', copy, { device_ids: [second.deviceId] })).toEqual([400, 'device_ids.0']);
        expect((await as('owner').get(`/devices/${here.deviceId}/input_rules`)).body['input_rules']).toEqual(kept);
      });

      it('sees nothing without an assigned site', async () => {
        const idle = await openAdminSession(bridge(), organizationId, 'technician');
        for (const path of ['/sites', '/devices', '/gadgets', '/claim_tickets']) {
          expect((await idle.get(path)).body.data).toEqual([]);
        }
      });
    });

    describe('access token', () => {
      it('acts as administrator or viewer of its organization, depending on its scope', async () => {
        const [writer, reader] = [
          await adminWithToken(bridge(), organizationId, 'full_read_write'),
          await adminWithToken(bridge(), organizationId, 'full_read_only offline'),
        ];
        expect((await writer.call('POST', '/sites', { name: 'By token' })).status).toBe(200);
        expect((await reader.get('/sites')).status).toBe(200);
        expect((await reader.call('POST', '/sites', { name: 'By token' })).status).toBe(403);
        const mine = await writer.callRoot('GET', '/organizations');
        expect(mine.body.data.map(({ id, role }) => [id, role])).toEqual([[organizationId, 'administrator']]);
      });

      it('cannot access another organization, or anything without a scope', async () => {
        const stranger = await bridge().newOrganization();
        const token = await adminWithToken(bridge(), stranger.organizationId, 'full_read_write');
        expect((await token.callRoot('GET', `/organizations/${organizationId}`)).status).toBe(404);
        expect((await token.callRoot('GET', `/organizations/${organizationId}/users`)).status).toBe(404);
        const offline = await adminWithToken(bridge(), organizationId, 'offline');
        expect((await offline.get('/sites')).status).toBe(403);
        expect((await offline.callRoot('GET', '/organizations')).status).toBe(403);
      });

      it('has no session and cannot create an organization', async () => {
        const token = await adminWithToken(bridge(), organizationId, 'full_read_write');
        expect((await token.callRoot('GET', '/session')).status).toBe(403);
        expect((await token.callRoot('POST', '/organizations', { name: 'Mine' })).status).toBe(403);
      });
    });
  },
  {},
  ['slow'],
);
