import { expect, it } from 'vitest';
import { describeOnBothDatabases } from '../../support/bridge/describe-on-both-databases.ts';
import { type AdminClient, callAsOwner, openAdminSession } from '../../support/bridge/admin-client.ts';
import { createTestDevice, createTestDoor, createTestSite, door } from '../../support/bridge/site-fixtures.ts';

const refusal = (field: string) =>
  expect.objectContaining({ type: 'invalid_request', args: expect.objectContaining({ field }) });

/** The body of the response, which is not 200. */
const refused = async (
  admin: AdminClient,
  method: 'DELETE' | 'PATCH' | 'POST' | 'PUT',
  path: string,
  body?: object,
) => {
  const response = await admin.call(method, path, body);
  expect(response.status).toBe(400);
  return response.body;
};

describeOnBothDatabases('sites, products, devices and gadgets', bridge => {
  it('include the products of the hardware profiles and the virtual product', async () => {
    const client = await bridge().newOrganization();
    const { data } = (await client.get('/products')).body;
    expect(data).toContainEqual({ id: 'virtual', name: 'Virtual device' });
    expect(data.map(({ id }) => id)).toEqual(
      data
        .map(({ id }) => id)
        .sort()
        .reverse(),
    );
    expect(await client.callOk('GET', '/products/gateway')).toEqual({ id: 'gateway', name: 'Site gateway' });
    expect((await client.get('/products/none')).status).toBe(404);
  });

  it('include a site with all fields, whose metadata and tags an application can edit', async () => {
    const client = await bridge().newOrganization();
    const geo = { location: { lat: 41.4, lng: 2.2 }, radius: 100 };
    const id = await createTestSite(bridge(), client, { geo, phone: '+34 900', timezone: 'Asia/Kolkata' });
    expect(await client.callOk('GET', `/sites/${id}`)).toEqual({
      id,
      name: 'Main',
      organization_id: client.organizationId,
      geo,
      map: null,
      phone: '+34 900',
      email: null,
      info: null,
      timezone: 'Asia/Kolkata',
      is_deleted: false,
      created_at: '2026-06-01T10:00:00.000Z',
      metadata: {},
      tag_ids: [],
    });
    const tag = await client.callOk('POST', '/tags', { name: 'VIP' });
    const edited = await client.callOk('PATCH', `/sites/${id}`, { metadata: { a: '1', b: '2' }, tag_ids: [tag.id] });
    expect(edited).toMatchObject({ metadata: { a: '1', b: '2' }, tag_ids: [tag.id], geo });
    expect(await client.callOk('PATCH', `/sites/${id}`, { metadata: { a: null } })).toMatchObject({
      metadata: { b: '2' },
    });
    expect((await client.get('/events?object.type=site&verb=edit')).body.data).toHaveLength(2);
  });

  it('reject edits of anything but metadata and tags', async () => {
    const client = await bridge().newOrganization();
    const { siteId, deviceId, gadgetId } = await createTestDoor(bridge(), client);
    for (const path of [`/sites/${siteId}`, `/devices/${deviceId}`, `/gadgets/${gadgetId}`]) {
      const answer = await client.call('PATCH', path, { name: 'Mine' });
      expect(answer.body).toEqual(refusal('name'));
      expect((await client.call('PATCH', path, { tag_ids: ['tag_none'] })).body).toEqual(refusal('tag_ids.0'));
    }
    expect((await client.call('PATCH', `/devices/${deviceId}`, { input_rules: [] })).status).toBe(400);
  });

  it('show a virtual device as always online', async () => {
    const client = await bridge().newOrganization();
    const { siteId, deviceId, gadgetId } = await createTestDoor(bridge(), client);
    const device = await client.callOk('GET', `/devices/${deviceId}?expand=gadgets,product,site`);
    expect(device).toMatchObject({
      hardware_id: null,
      product_id: 'virtual',
      product: { id: 'virtual', name: 'Virtual device' },
      site: { id: siteId },
      revision_id: null,
      input_rules: [],
      capabilities: { gadgets: 'multiple', gadget_max_count: 64, pin: true, nfc: true, input_rules: true },
      status: {
        online: true,
        mains_present: true,
        battery_present: false,
        battery_charging: false,
      },
      gadgets: [{ id: gadgetId, state_id: null, ...door }],
    });
  });

  it('show a real device as offline until its first message, with the hardware revision of its product', async () => {
    const client = await bridge().newOrganization();
    const site_id = await createTestSite(bridge(), client);
    const hardware_id = bridge().services.newId('hardware');
    const form = { site_id, name: 'Door', product_id: 'rpi-osdp', hardware_id, gadgets: [] };
    const { deviceId } = await createTestDevice(bridge(), client, form);
    expect(await client.callOk('GET', `/devices/${deviceId}`)).toMatchObject({
      hardware_id,
      revision_id: '1',
      status: { online: false, battery_present: false },
    });
    await expect(createTestDevice(bridge(), client, form)).rejects.toEqual(refusal('hardware_id'));
    const stranger = await bridge().newOrganization();
    await createTestDevice(bridge(), stranger, { ...form, site_id: await createTestSite(bridge(), stranger) });
    await callAsOwner(bridge(), client, 'DELETE', `/devices/${deviceId}`);
    const again = await createTestDevice(bridge(), client, { ...form, revision_id: 'r0' });
    expect(await client.callOk('GET', `/devices/${again.deviceId}`)).toMatchObject({ hardware_id, revision_id: 'r0' });
  });

  it('limit devices to the capabilities of their product', async () => {
    const client = await bridge().newOrganization();
    const site_id = await createTestSite(bridge(), client);
    const make = (given: object) => createTestDevice(bridge(), client, { site_id, ...given });
    await expect(make({ product_id: 'gateway' })).rejects.toEqual(refusal('gadgets'));
    await expect(make({ product_id: 'none' })).rejects.toEqual(refusal('product_id'));
    await expect(make({ site_id: 'site_none' })).rejects.toEqual(refusal('site_id'));
    await expect(make({ gadgets: Array.from({ length: 65 }, () => door) })).rejects.toEqual(refusal('gadgets'));
    const { deviceId, gadgetId } = await make({ gadgets: Array.from({ length: 64 }, () => door) });
    const owner = await openAdminSession(bridge(), client.organizationId, 'owner');
    expect(await refused(owner, 'POST', '/gadgets', { device_id: deviceId, ...door })).toEqual(refusal('device_id'));
    await owner.callOk('DELETE', `/gadgets/${gadgetId}`);
    await owner.callOk('POST', '/gadgets', { device_id: deviceId, ...door });
    await expect(make({ gadgets: [{ ...door, state_id: 'ajar' }] })).rejects.toEqual(refusal('gadgets.0.state_id'));
    await expect(make({ tag_ids: ['tag_none'] })).rejects.toEqual(refusal('tag_ids.0'));
    const gateway = await make({ product_id: 'gateway', gadgets: [] });
    const rules = { input_rules: [{ code: '', gadget_id: 'gad_x', action_id: 'open' }] };
    expect(await refused(owner, 'PUT', `/devices/${gateway.deviceId}/input_rules`, rules)).toEqual(
      refusal('input_rules'),
    );
  });

  it('require exactly one gadget on a single-gadget product', async () => {
    const client = await bridge().newOrganization();
    const site_id = await createTestSite(bridge(), client);
    const { storage } = bridge().services;
    const virtual = await storage.reader
      .selectFrom('products')
      .selectAll()
      .where('id', '=', 'virtual')
      .executeTakeFirstOrThrow();
    const capabilities = {
      ...(JSON.parse(virtual.capabilities) as object),
      gadgets: 'single',
      gadget_max_count: 1,
      mains: false,
      battery: true,
    };
    const single = { id: 'one-lock', name: 'One lock', revision_id: '1', capabilities: JSON.stringify(capabilities) };
    await storage.writer.insertInto('products').values(single).execute();
    const make = (given: object) => createTestDevice(bridge(), client, { site_id, product_id: 'one-lock', ...given });
    await expect(make({ gadgets: [] })).rejects.toEqual(refusal('gadgets'));
    await expect(make({ gadgets: [door, door] })).rejects.toEqual(refusal('gadgets'));
    const { deviceId, gadgetId } = await make({});
    const status = { online: true, mains_present: false, battery_present: true, battery_percent: 100 };
    expect(await client.callOk('GET', `/devices/${deviceId}`)).toMatchObject({ status });
    const owner = await openAdminSession(bridge(), client.organizationId, 'owner');
    expect(await refused(owner, 'POST', '/gadgets', { device_id: deviceId, ...door })).toEqual(refusal('device_id'));
    expect(await refused(owner, 'DELETE', `/gadgets/${gadgetId}`)).toEqual(refusal('device_id'));
    await owner.callOk('DELETE', `/devices/${deviceId}`);
    expect(await client.callOk('GET', `/gadgets/${gadgetId}`)).toMatchObject({ is_deleted: true });
  });

  it('accept only input rules with actions of the organization', async () => {
    const client = await bridge().newOrganization();
    const { siteId, deviceId, gadgetId } = await createTestDoor(bridge(), client);
    const elsewhere = await createTestDoor(bridge(), await bridge().newOrganization());
    const owner = await openAdminSession(bridge(), client.organizationId, 'owner');
    const rules = `/devices/${deviceId}/input_rules`;
    const refusedRules = (...input_rules: object[]) => refused(owner, 'PUT', rules, { input_rules });
    const rule = { code: '', gadget_id: gadgetId, action_id: 'open' };
    await owner.callOk('PUT', rules, { input_rules: [rule, { ...rule, code: '#2', action_id: 'hold' }] });
    expect(await client.callOk('GET', `/devices/${deviceId}`)).toMatchObject({
      input_rules: [rule, { code: '#2', gadget_id: gadgetId, action_id: 'hold' }],
    });
    expect(await refusedRules(rule, { ...rule, code: '2' })).toEqual(refusal('input_rules.1.code'));
    expect(await refusedRules({ ...rule, action_id: 'fly' })).toEqual(refusal('input_rules.0.action_id'));
    const neighbor = await createTestDevice(bridge(), client, { site_id: siteId });
    await owner.callOk('PUT', rules, { input_rules: [{ ...rule, gadget_id: neighbor.gadgetId }] });
    await owner.callOk('DELETE', `/gadgets/${neighbor.gadgetId}?force=true`);
    for (const { gadgetId: gadget_id } of [elsewhere, neighbor])
      expect(await refusedRules({ ...rule, gadget_id })).toEqual(refusal('input_rules.0.gadget_id'));
    await owner.callOk('PUT', rules, { input_rules: [rule, { ...rule, code: '#2', action_id: 'hold' }] });
    const withoutHold = { actions: [{ id: 'open', name: 'Open' }] };
    expect(await refused(owner, 'PATCH', `/gadgets/${gadgetId}`, withoutHold)).toEqual(refusal('actions'));
    await owner.callOk('PUT', rules, { input_rules: [rule] });
    await owner.callOk('PATCH', `/gadgets/${gadgetId}`, withoutHold);
  });

  it('require unique action, state and signal ids on a gadget', async () => {
    const client = await bridge().newOrganization();
    const { deviceId, gadgetId } = await createTestDoor(bridge(), client);
    const owner = await openAdminSession(bridge(), client.organizationId, 'owner');
    const make = (given: object) => refused(owner, 'POST', '/gadgets', { device_id: deviceId, ...door, ...given });
    const open = { id: 'open', name: 'Open' };
    expect(await make({ actions: [open, open] })).toEqual(refusal('actions.1.id'));
    expect(await make({ signals: [{ id: 'a b', name: '' }] })).toEqual(refusal('signals.0.id'));
    expect(await make({ state_id: 'ajar' })).toEqual(refusal('state_id'));
    const path = `/gadgets/${gadgetId}`;
    const edit = async (given: object) => (await owner.callOk('PATCH', path, given))['state_id'];
    expect(await refused(owner, 'PATCH', path, { state_id: 'ajar' })).toEqual(refusal('state_id'));
    expect(await edit({ state_id: 'unlocked' })).toBe('unlocked');
    const ajar = { id: 'ajar', name: 'Ajar' };
    expect(await edit({ states: [ajar, { id: 'unlocked', name: 'Free' }] })).toBe('unlocked');
    expect(await edit({ state_id: null })).toBeNull();
    expect(await edit({ states: [ajar], state_id: 'ajar' })).toBe('ajar');
    expect(await refused(owner, 'PATCH', path, { states: [ajar], state_id: 'unlocked' })).toEqual(refusal('state_id'));
    expect(await edit({ states: [] })).toBeNull();
  });

  it('reject a site with an invalid time zone or position', async () => {
    const client = await bridge().newOrganization();
    const owner = await openAdminSession(bridge(), client.organizationId, 'owner');
    const make = (given: object) => refused(owner, 'POST', '/sites', { name: 'Main', ...given });
    expect(await make({ timezone: 'Mars/Olympus' })).toEqual(refusal('timezone'));
    expect(await make({ geo: { location: { lat: 91, lng: 0 }, radius: 1 } })).toEqual(refusal('geo.location.lat'));
    expect(await make({ name: '' })).toEqual(refusal('name'));
    const site = await owner.callOk('POST', '/sites', { name: 'Main' });
    const edited = await owner.callOk('PATCH', `/sites/${site.id}`, { timezone: 'Asia/Tokyo' });
    expect(edited).toMatchObject({ timezone: 'Asia/Tokyo', name: 'Main' });
  });

  it('delete the gadgets with their device, with one event each', async () => {
    const client = await bridge().newOrganization();
    const { siteId, deviceId, gadgetId } = await createTestDoor(bridge(), client);
    await callAsOwner(bridge(), client, 'DELETE', `/devices/${deviceId}`);
    await callAsOwner(bridge(), client, 'DELETE', `/devices/${deviceId}`);
    const { data } = (await client.get('/events?verb=delete&sort=recorded_at:asc')).body;
    expect(data.map(({ object }) => object)).toEqual([
      { type: 'gadget', gadget_id: gadgetId, device_id: deviceId, site_id: siteId },
      { type: 'device', device_id: deviceId, site_id: siteId },
    ]);
    expect((await client.get('/gadgets')).body.data).toEqual([]);
    expect(await client.callOk('GET', `/devices/${deviceId}`)).toMatchObject({ is_deleted: true });
    expect((await client.call('PATCH', `/devices/${deviceId}`, { metadata: {} })).status).toBe(404);
    await callAsOwner(bridge(), client, 'DELETE', `/sites/${siteId}`);
    expect((await client.call('PATCH', `/sites/${siteId}`, { metadata: {} })).status).toBe(404);
  });

  it('return 404 to another organization', async () => {
    const { siteId, deviceId, gadgetId } = await createTestDoor(bridge(), await bridge().newOrganization());
    const other = await bridge().newOrganization();
    for (const path of [`/sites/${siteId}`, `/devices/${deviceId}`, `/gadgets/${gadgetId}`]) {
      expect((await other.get(path)).status).toBe(404);
      expect((await other.call('PATCH', path, { metadata: {} })).status).toBe(404);
    }
  });

  it('filter gadgets by site, device and tag', async () => {
    const client = await bridge().newOrganization();
    const [one, two] = [await createTestDoor(bridge(), client), await createTestDoor(bridge(), client)];
    const tag = await client.callOk('POST', '/tags', { name: 'lift' });
    await client.callOk('PATCH', `/gadgets/${two.gadgetId}`, { tag_ids: [tag.id] });
    const found = async (query: string) => (await client.get(`/gadgets?${query}`)).body.data.map(({ id }) => id);
    expect(await found(`site_id=${one.siteId}`)).toEqual([one.gadgetId]);
    expect(await found(`device_id=${two.deviceId}`)).toEqual([two.gadgetId]);
    expect(await found(`tag_id=${tag.id}`)).toEqual([two.gadgetId]);
  });
});
