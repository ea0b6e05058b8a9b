import { describe, expect, it } from 'vitest';
import { type AdminClient, openAdminSession } from '../../support/bridge/admin-client.ts';
import { accessChangesOf, eventsOf } from '../../support/devices/organization-events-and-access-changes.ts';
import { describeOnSqliteFirst } from '../../support/bridge/describe-on-both-databases.ts';
import { createTestDevice, createTestDoor, createTestSite, door } from '../../support/bridge/site-fixtures.ts';
import type { TestOrganizationClient } from '../../support/bridge/test-bridge.ts';

const field = ({ body }: { body: Readonly<Record<string, unknown>> }): string | undefined =>
  (body['args'] as Record<string, string>)['field'];

describeOnSqliteFirst('admin sites and devices', bridge => {
  const arrange = async () => {
    const client = await bridge().newOrganization();
    const place = await createTestDoor(bridge(), client);
    const admin = await openAdminSession(bridge(), client.organizationId, 'administrator');
    return { client, admin, ...place };
  };

  it('create, edit and delete sites with an event and a controller change each', async () => {
    const { client, admin } = await arrange();
    const created = await admin.callOk('POST', '/sites', { name: 'Annex', timezone: 'Europe/Madrid' });
    expect((await client.get(`/sites/${created.id}`)).body).toEqual(created);
    const edited = await admin.callOk('PATCH', `/sites/${created.id}`, { timezone: 'Asia/Kolkata', phone: '+34 1' });
    expect(edited).toEqual({ ...created, timezone: 'Asia/Kolkata', phone: '+34 1' });
    expect(field(await admin.call('PATCH', `/sites/${created.id}`, { timezone: 'Mars/North' }))).toBe('timezone');
    const deleted = await admin.callOk('DELETE', `/sites/${created.id}`);
    expect(deleted).toEqual({ ...edited, is_deleted: true });
    expect(await admin.callOk('DELETE', `/sites/${created.id}`)).toEqual(deleted);
    expect((await eventsOf(bridge(), client)).slice(-3)).toEqual(
      ['create', 'edit', 'delete'].map(verb => `${verb} site ${created.id}`),
    );
    expect((await accessChangesOf(bridge(), client)).filter(change => change === `site ${created.id}`)).toHaveLength(3);
  });

  it('create a device with its gadgets within the limits of its product', async () => {
    const { admin, siteId } = await arrange();
    const body = { site_id: siteId, name: 'Gate', product_id: 'virtual', gadgets: [door, { ...door, name: 'Back' }] };
    const created = await admin.call('POST', '/devices?expand=gadgets', body);
    expect(created.body).toMatchObject({ name: 'Gate', product_id: 'virtual', hardware_id: null, site_id: siteId });
    expect((created.body['gadgets'] as unknown[]).length).toBe(2);
    const many = Array.from({ length: 65 }, () => door);
    expect(field(await admin.call('POST', '/devices', { ...body, gadgets: many }))).toBe('gadgets');
    expect(field(await admin.call('POST', '/devices', { ...body, product_id: 'none' }))).toBe('product_id');
    expect(field(await admin.call('POST', '/devices', { ...body, site_id: 'site_none' }))).toBe('site_id');
    const { id } = created.body;
    expect(await admin.callOk('PATCH', `/devices/${id}`, { name: 'North gate', metadata: { a: 'b' } })).toMatchObject({
      name: 'North gate',
      metadata: { a: 'b' },
    });
    for (const kept of [{ hardware_id: 'hw_1' }, { input_rules: [] }, { site_id: siteId }, { product_id: 'virtual' }]) {
      expect((await admin.call('PATCH', `/devices/${id}`, kept)).status).toBe(400);
    }
    expect(await admin.callOk('DELETE', `/devices/${id}`)).toMatchObject({ is_deleted: true });
    expect((await admin.get(`/gadgets?device_id=${id}`)).body.data).toEqual([]);
    expect((await admin.call('PATCH', `/devices/${id}`, { name: 'Gone' })).status).toBe(404);
  });

  it('add, edit and delete gadgets of a device', async () => {
    const { client, admin, deviceId } = await arrange();
    const created = await admin.callOk('POST', '/gadgets', {
      device_id: deviceId,
      name: 'Light',
      actions: [{ id: 'on', name: 'On' }],
    });
    expect((await client.get(`/gadgets/${created.id}`)).body).toEqual(created);
    expect(field(await admin.call('POST', '/gadgets', { name: 'Light' }))).toBe('device_id');
    expect(field(await admin.call('POST', '/gadgets', { device_id: 'dev_none', name: 'Light' }))).toBe('device_id');
    expect(await admin.callOk('PATCH', `/gadgets/${created.id}`, { name: 'Lamp' })).toEqual({
      ...created,
      name: 'Lamp',
    });
    expect(await admin.callOk('DELETE', `/gadgets/${created.id}`)).toMatchObject({ is_deleted: true });
  });

  describe('input rules', () => {
    const rulesAt = (deviceId: string) => `/devices/${deviceId}/input_rules`;

    it('are replaced as a whole and visible in the public API', async () => {
      const { client, admin, deviceId, gadgetId } = await arrange();
      expect((await admin.get(rulesAt(deviceId))).body).toMatchObject({ device_id: deviceId, input_rules: [] });
      const input_rules = [
        { code: '', gadget_id: gadgetId, action_id: 'open' },
        { code: '*1', gadget_id: gadgetId, action_id: 'hold' },
      ];
      const written = await admin.callOk('PUT', rulesAt(deviceId), { input_rules });
      expect(written['input_rules']).toEqual(input_rules);
      expect((await admin.get(rulesAt(deviceId))).body).toEqual(written);
      expect((await client.get(`/devices/${deviceId}`)).body['input_rules']).toEqual(input_rules);
      expect((await eventsOf(bridge(), client)).at(-1)).toMatch(`edit device ${deviceId}`);
      expect((await accessChangesOf(bridge(), client)).at(-1)).toBe(`device ${deviceId}`);
    });

    it('are rejected with the names of conflicting codes', async () => {
      const { admin, deviceId, gadgetId } = await arrange();
      const put = (...codes: string[]) =>
        admin.call('PUT', rulesAt(deviceId), {
          input_rules: codes.map(code => ({ code, gadget_id: gadgetId, action_id: 'open' })),
        });
      const prefix = await put('12', '345', '3');
      expect([prefix.status, field(prefix)]).toEqual([400, 'input_rules.2.code']);
      expect(prefix.body['message']).toContain('"3"');
      expect(prefix.body['message']).toContain('"345"');
      const digit = await put('', '*1', '7');
      expect([field(digit), digit.body['message']]).toEqual([
        'input_rules.2.code',
        expect.stringContaining('must start with * or #'),
      ]);
      expect(field(await put('', ''))).toBe('input_rules.1.code');
      expect(field(await put('A'))).toBe('input_rules.0.code');
      expect((await admin.get(rulesAt(deviceId))).body['input_rules']).toEqual([]);
      for (const [rule, at] of [
        [{ gadget_id: 'gad_none', action_id: 'open' }, 'gadget_id'],
        [{ gadget_id: gadgetId, action_id: 'explode' }, 'action_id'],
        [{ gadget_id: gadgetId, action_id: 'open', extra: 1 }, 'extra'],
      ] as const) {
        const refused = await admin.call('PUT', rulesAt(deviceId), { input_rules: [{ code: '', ...rule }] });
        expect(field(refused)).toBe(`input_rules.0.${at}`);
      }
    });

    it('are rejected if the base has changed, and accepted without a base', async () => {
      const { admin, deviceId, gadgetId } = await arrange();
      const before = (await admin.get(rulesAt(deviceId))).body['base'];
      const rule = { code: '', gadget_id: gadgetId, action_id: 'open' };
      const after = await admin.callOk('PUT', rulesAt(deviceId), { input_rules: [rule], base: before });
      expect(after['base']).not.toBe(before);
      const stale = await admin.call('PUT', rulesAt(deviceId), { input_rules: [], base: before });
      expect([stale.status, field(stale)]).toEqual([400, 'base']);
      expect((await admin.get(rulesAt(deviceId))).body).toEqual(after);
      await admin.callOk('PUT', rulesAt(deviceId), { input_rules: [] });
    });

    const arrangeCopy = async () => {
      const { client, admin, deviceId, gadgetId, siteId } = await arrange();
      const targets = [
        await createTestDevice(bridge(), client, { site_id: siteId }),
        await createTestDevice(bridge(), client, { site_id: siteId }),
      ];
      await admin.callOk('PUT', rulesAt(deviceId), {
        input_rules: [{ code: '', gadget_id: gadgetId, action_id: 'open' }],
      });
      const copy = (device_ids: string[], more: object = {}) =>
        admin.call('POST', `${rulesAt(deviceId)}/copy`, { device_ids, ...more });
      const rulesOf = async (id: string) => (await admin.get(rulesAt(id))).body['input_rules'];
      return { client, admin, deviceId, gadgetId, siteId, targets, copy, rulesOf };
    };

    it('are copied to several devices', async () => {
      const { client, gadgetId, targets, copy, rulesOf } = await arrangeCopy();
      const ids = targets.map(({ deviceId }) => deviceId);
      const { status, body } = await copy(ids);
      const rules = [{ code: '', gadget_id: gadgetId, action_id: 'open' }];
      expect([status, body.data.map(one => [one['device_id'], one['input_rules']])]).toEqual([
        200,
        ids.map(id => [id, rules]),
      ]);
      for (const id of ids) expect(await rulesOf(id)).toEqual(rules);
      expect((await eventsOf(bridge(), client)).slice(-2)).toEqual(
        ids.map(id => expect.stringContaining(`edit device ${id}`)),
      );
    });

    it('are mapped to the gadgets with the same name on request', async () => {
      const { admin, targets, copy, rulesOf, client, siteId, ...source } = await arrangeCopy();
      const { deviceId: sourceId, gadgetId: sourceGadgetId } = source;
      const [one, other] = targets;
      const shared = await createTestDevice(bridge(), client, { site_id: siteId });
      const sharedRule = { code: '*3', gadget_id: shared.gadgetId, action_id: 'open' };
      const input_rules = [{ code: '', gadget_id: sourceGadgetId, action_id: 'open' }, sharedRule];
      await admin.callOk('PUT', rulesAt(sourceId), { input_rules });
      expect((await copy([one!.deviceId, other!.deviceId], { own_gadgets: 'match' })).status).toBe(200);
      for (const { deviceId, gadgetId } of targets) {
        expect(await rulesOf(deviceId)).toEqual([{ code: '', gadget_id: gadgetId, action_id: 'open' }, sharedRule]);
      }
      const bare = await createTestDevice(bridge(), client, { site_id: siteId, gadgets: [] });
      const refused = await copy([one!.deviceId, bare.deviceId], { own_gadgets: 'match' });
      expect([refused.status, field(refused)]).toEqual([400, 'device_ids.1']);
      expect(refused.body['message']).toContain(bare.deviceId);
    });

    it('are copied to all devices or none, and the error names the rejecting device', async () => {
      const { client, targets, copy, rulesOf, siteId } = await arrangeCopy();
      const { deviceId: unable } = await createTestDevice(bridge(), client, {
        site_id: siteId,
        product_id: 'gateway',
        gadgets: [],
      });
      const [one, other] = targets.map(({ deviceId }) => deviceId);
      const events = await eventsOf(bridge(), client);
      const refused = await copy([one!, unable, other!]);
      expect([refused.status, field(refused)]).toEqual([400, 'device_ids.1']);
      expect(refused.body['args']).toMatchObject({ device_id: unable });
      expect(refused.body['message']).toContain(unable);
      for (const id of [one!, other!]) expect(await rulesOf(id)).toEqual([]);
      expect(await eventsOf(bridge(), client)).toEqual(events);
      expect(field(await copy([one!, 'dev_none']))).toBe('device_ids.1');
      expect((await copy([])).status).toBe(400);
    });
  });

  describe('hardware replacement', () => {
    const arrangeReal = async () => {
      const { client, admin, siteId } = await arrange();
      const { deviceId, gadgetId } = await createTestDevice(bridge(), client, {
        site_id: siteId,
        hardware_id: `hw_${bridge().services.newId('event')}` as never,
      });
      const input_rules = [{ code: '', gadget_id: gadgetId, action_id: 'open' }];
      await admin.callOk('PUT', `/devices/${deviceId}/input_rules`, { input_rules });
      return { client, admin, deviceId, gadgetId, siteId };
    };
    const replace = (admin: AdminClient, deviceId: string, body: object) =>
      admin.call('POST', `/devices/${deviceId}/replace`, body);

    /** Hardware that the organization has claimed and that no device uses. */
    const claimHardware = async ({ organizationId: organization_id }: TestOrganizationClient): Promise<string> => {
      const hardware_id = bridge().services.newId('hardware');
      const row = { organization_id, hardware_id, serial: hardware_id, device_id: 'dev_gone', public_key: '' };
      const times = { created_at: 0, expires_at: 0, revoked_at: 0 };
      await bridge()
        .services.storage.writer.insertInto('device_certificates')
        .values({ ...row, ...times, certificate: '', claim_ticket_id: null, down_counter: 0 })
        .execute();
      return hardware_id;
    };

    it('keeps the id, gadgets and rules, and records both hardware ids in the event', async () => {
      const { client, admin, deviceId, gadgetId, siteId } = await arrangeReal();
      const before = (await admin.get(`/devices/${deviceId}`)).body;
      const hardware_id = await claimHardware(client);
      const { body } = await replace(admin, deviceId, { hardware_id, revision_id: 'B' });
      expect(body).toEqual({ ...before, hardware_id, revision_id: 'B' });
      expect((await admin.get(`/gadgets?device_id=${deviceId}`)).body.data.map(({ id }) => id)).toEqual([gadgetId]);
      expect((await eventsOf(bridge(), client)).slice(-3)).toEqual([
        `delete hardware ${deviceId} ${siteId} ${String(before['hardware_id'])}`,
        `edit device ${deviceId} ${siteId} ${hardware_id}`,
        `create hardware ${deviceId} ${siteId} ${hardware_id}`,
      ]);
      const events = await eventsOf(bridge(), client);
      expect((await replace(admin, deviceId, { hardware_id })).body).toEqual(body);
      expect(await eventsOf(bridge(), client)).toEqual(events);
    });

    it('shows a virtual device as offline until its new hardware connects', async () => {
      const { client, admin, deviceId } = await arrange();
      const hardware_id = await claimHardware(client);
      const { body } = await replace(admin, deviceId, { hardware_id });
      expect(body).toMatchObject({ hardware_id, status: { online: false } });
    });

    it('rejects hardware of another device, and releases the old hardware', async () => {
      const [one, other] = [await arrangeReal(), await arrangeReal()];
      const hardware = async ({ admin, deviceId }: typeof one) =>
        (await admin.get(`/devices/${deviceId}`)).body['hardware_id'];
      const old = await hardware(one);
      const taken = await replace(one.admin, one.deviceId, { hardware_id: await hardware(other) });
      expect([taken.status, field(taken), await hardware(one)]).toEqual([400, 'hardware_id', old]);
      const spare = await claimHardware(one.client);
      expect((await replace(one.admin, one.deviceId, { hardware_id: spare })).status).toBe(200);
      const second = { site_id: one.siteId, name: 'Second', product_id: 'virtual', hardware_id: spare };
      expect(field(await one.admin.call('POST', '/devices', second))).toBe('hardware_id');
      expect((await replace(other.admin, other.deviceId, {})).status).toBe(400);
      expect((await replace(other.admin, 'dev_none', { hardware_id: 'hw_x' })).status).toBe(404);
    });

    it('refuses hardware without proof, with the same message whether another organization has it or nobody', async () => {
      const [one, other] = [await arrangeReal(), await arrangeReal()];
      const foreign = [
        String((await other.admin.get(`/devices/${other.deviceId}`)).body['hardware_id']),
        await claimHardware(other.client),
        'hw_unknown',
      ];
      const refusals = await Promise.all(
        foreign.flatMap(hardware_id => {
          const created = { site_id: one.siteId, name: 'Mine', product_id: 'virtual', hardware_id };
          return [one.admin.call('POST', '/devices', created), replace(one.admin, one.deviceId, { hardware_id })].map(
            async answer => {
              const { status, body } = await answer;
              return [status, JSON.stringify(body).replaceAll(hardware_id, 'ID')];
            },
          );
        }),
      );
      expect(new Set(refusals.map(([status]) => status))).toEqual(new Set([400]));
      expect(new Set(refusals.map(([, body]) => body)).size).toBe(1);
    });
  });

  it('do not expose another organization', async () => {
    const { admin } = await arrange();
    const other = await bridge().newOrganization();
    const siteId = await createTestSite(bridge(), other);
    const { deviceId, gadgetId } = await createTestDevice(bridge(), other, { site_id: siteId });
    for (const path of [`/sites/${siteId}`, `/devices/${deviceId}`, `/gadgets/${gadgetId}`]) {
      for (const method of ['GET', 'DELETE'] as const) expect((await admin.call(method, path)).status).toBe(404);
      expect((await admin.call('PATCH', path, { name: 'Mine' })).status).toBe(404);
    }
  });
});

describeOnSqliteFirst('values that a device reports', bridge => {
  it('cannot be set through the administration API on real devices', async () => {
    const client = await bridge().newOrganization();
    const admin = await openAdminSession(bridge(), client.organizationId, 'owner');
    const site_id = await createTestSite(bridge(), client);
    const real = await createTestDevice(bridge(), client, { site_id, hardware_id: 'hw_1' as never });
    const virtual = await createTestDevice(bridge(), client, { site_id });
    const refusedField = async (method: 'POST' | 'PATCH', path: string, body: object): Promise<unknown> => {
      const answer = await admin.call(method, path, body);
      expect(answer.status).toBe(400);
      return (answer.body['args'] as { field: string }).field;
    };
    const state_id = 'unlocked';
    expect(await refusedField('PATCH', `/gadgets/${real.gadgetId}`, { state_id })).toBe('state_id');
    expect(await refusedField('PATCH', `/gadgets/${real.gadgetId}`, { state_id: null })).toBe('state_id');
    const added = { ...door, device_id: real.deviceId };
    expect(await refusedField('POST', '/gadgets', { ...added, state_id })).toBe('state_id');
    for (const field of ['status', 'online', 'battery_percent', 'battery_charging']) {
      expect(await refusedField('PATCH', `/devices/${real.deviceId}`, { [field]: {} })).toBe(field);
    }
    expect(await admin.callOk('POST', '/gadgets', { ...added, state_id: null })).toMatchObject({ state_id: null });
    expect(await admin.callOk('PATCH', `/gadgets/${virtual.gadgetId}`, { state_id })).toMatchObject({ state_id });
  });
});
