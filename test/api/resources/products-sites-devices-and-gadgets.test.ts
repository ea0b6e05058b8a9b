import { createDevice, deleteDevice, editDevice } from '@lintel/cloud-bridge/resources/devices';
import { createGadget, deleteGadget, editGadget } from '../../../cloud-bridge/src/resources/gadgets.ts';
import { createSite, deleteSite, editSite } from '../../../cloud-bridge/src/resources/sites.ts';
import type { CreateDeviceRequest, EditDeviceRequest } from '@lintel/wire-protocol/rest/device';
import { expect, it } from 'vitest';
import { describeOnBothDatabases } from '../../support/bridge/describe-on-both-databases.ts';
import {
  createTestDevice,
  createTestDoor,
  writeToDatabase,
  createTestSite,
  door,
} from '../../support/bridge/site-fixtures.ts';

const refusal = (field: string) =>
  expect.objectContaining({ type: 'invalid_request', args: expect.objectContaining({ field }) });

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
    const form: CreateDeviceRequest = { site_id, name: 'Door', product_id: 'rpi-osdp', hardware_id };
    const { device } = await writeToDatabase(bridge(), client, context => createDevice(context, form));
    expect(await client.callOk('GET', `/devices/${device.id}`)).toMatchObject({
      hardware_id,
      revision_id: '1',
      status: { online: false, battery_present: false },
    });
    await expect(writeToDatabase(bridge(), client, context => createDevice(context, form))).rejects.toEqual(
      refusal('hardware_id'),
    );
    const stranger = await bridge().newOrganization();
    const theirs = { ...form, site_id: await createTestSite(bridge(), stranger) };
    await writeToDatabase(bridge(), stranger, context => createDevice(context, theirs));
    await writeToDatabase(bridge(), client, context => deleteDevice(context, device.id));
    const again = await writeToDatabase(bridge(), client, context =>
      createDevice(context, { ...form, revision_id: 'r0' }),
    );
    expect(again.device).toMatchObject({ hardware_id, revision_id: 'r0' });
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
    await expect(writeToDatabase(bridge(), client, context => createGadget(context, deviceId, door))).rejects.toEqual(
      refusal('device_id'),
    );
    await writeToDatabase(bridge(), client, context => deleteGadget(context, gadgetId));
    await writeToDatabase(bridge(), client, context => createGadget(context, deviceId, door));
    await expect(make({ gadgets: [{ ...door, state_id: 'ajar' }] })).rejects.toEqual(refusal('gadgets.0.state_id'));
    await expect(make({ tag_ids: ['tag_none'] })).rejects.toEqual(refusal('tag_ids.0'));
    const gateway = await make({ product_id: 'gateway', gadgets: [] });
    const rules: EditDeviceRequest = { input_rules: [{ code: '', gadget_id: 'gad_x', action_id: 'open' }] };
    await expect(
      writeToDatabase(bridge(), client, context => editDevice(context, gateway.deviceId, rules)),
    ).rejects.toEqual(refusal('input_rules'));
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
    await expect(writeToDatabase(bridge(), client, context => createGadget(context, deviceId, door))).rejects.toEqual(
      refusal('device_id'),
    );
    await expect(writeToDatabase(bridge(), client, context => deleteGadget(context, gadgetId))).rejects.toEqual(
      refusal('device_id'),
    );
    await writeToDatabase(bridge(), client, context => deleteDevice(context, deviceId));
    expect(await client.callOk('GET', `/gadgets/${gadgetId}`)).toMatchObject({ is_deleted: true });
  });

  it('accept only input rules with actions of the organization', async () => {
    const client = await bridge().newOrganization();
    const { siteId, deviceId, gadgetId } = await createTestDoor(bridge(), client);
    const elsewhere = await createTestDoor(bridge(), await bridge().newOrganization());
    const set = (...input_rules: unknown[]) =>
      writeToDatabase(bridge(), client, context => editDevice(context, deviceId, { input_rules }));
    const rule = { code: '', gadget_id: gadgetId, action_id: 'open' };
    await set(rule, { ...rule, code: '#2', action_id: 'hold' });
    expect(await client.callOk('GET', `/devices/${deviceId}`)).toMatchObject({
      input_rules: [rule, { code: '#2', gadget_id: gadgetId, action_id: 'hold' }],
    });
    await expect(set(rule, { ...rule, code: '2' })).rejects.toEqual(refusal('input_rules.1.code'));
    await expect(set({ ...rule, action_id: 'fly' })).rejects.toEqual(refusal('input_rules.0.action_id'));
    const neighbor = await createTestDevice(bridge(), client, { site_id: siteId });
    await set({ ...rule, gadget_id: neighbor.gadgetId });
    await writeToDatabase(bridge(), client, context => deleteGadget(context, neighbor.gadgetId, { isForced: true }));
    for (const { gadgetId: gadget_id } of [elsewhere, neighbor])
      await expect(set({ ...rule, gadget_id })).rejects.toEqual(refusal('input_rules.0.gadget_id'));
    await set(rule, { ...rule, code: '#2', action_id: 'hold' });
    const withoutHold = { actions: [{ id: 'open', name: 'Open' }] };
    await expect(
      writeToDatabase(bridge(), client, context => editGadget(context, gadgetId, withoutHold)),
    ).rejects.toEqual(refusal('actions'));
    await set(rule);
    await writeToDatabase(bridge(), client, context => editGadget(context, gadgetId, withoutHold));
  });

  it('require unique action, state and signal ids on a gadget', async () => {
    const client = await bridge().newOrganization();
    const { deviceId, gadgetId } = await createTestDoor(bridge(), client);
    const make = (given: object) =>
      writeToDatabase(bridge(), client, context => createGadget(context, deviceId, { ...door, ...given }));
    const open = { id: 'open', name: 'Open' };
    await expect(make({ actions: [open, open] })).rejects.toEqual(refusal('actions.1.id'));
    await expect(make({ signals: [{ id: 'a b', name: '' }] })).rejects.toEqual(refusal('signals.0.id'));
    await expect(make({ state_id: 'ajar' })).rejects.toEqual(refusal('state_id'));
    const edit = (given: object) => writeToDatabase(bridge(), client, context => editGadget(context, gadgetId, given));
    await expect(edit({ state_id: 'ajar' })).rejects.toEqual(refusal('state_id'));
    expect((await edit({ state_id: 'unlocked' })).state_id).toBe('unlocked');
    const ajar = { id: 'ajar', name: 'Ajar' };
    expect((await edit({ states: [ajar, { id: 'unlocked', name: 'Free' }] })).state_id).toBe('unlocked');
    expect((await edit({ state_id: null })).state_id).toBeNull();
    expect((await edit({ states: [ajar], state_id: 'ajar' })).state_id).toBe('ajar');
    await expect(edit({ states: [ajar], state_id: 'unlocked' })).rejects.toEqual(refusal('state_id'));
    expect((await edit({ states: [] })).state_id).toBeNull();
  });

  it('reject a site with an invalid time zone or position', async () => {
    const client = await bridge().newOrganization();
    const make = (given: object) =>
      writeToDatabase(bridge(), client, context => createSite(context, { name: 'Main', ...given }));
    await expect(make({ timezone: 'Mars/Olympus' })).rejects.toEqual(refusal('timezone'));
    await expect(make({ geo: { location: { lat: 91, lng: 0 }, radius: 1 } })).rejects.toEqual(
      refusal('geo.location.lat'),
    );
    await expect(make({ name: '' })).rejects.toEqual(refusal('name'));
    const site = await make({});
    const edited = await writeToDatabase(bridge(), client, context =>
      editSite(context, site.id, { timezone: 'Asia/Tokyo' }),
    );
    expect(edited).toMatchObject({ timezone: 'Asia/Tokyo', name: 'Main' });
  });

  it('delete the gadgets with their device, with one event each', async () => {
    const client = await bridge().newOrganization();
    const { siteId, deviceId, gadgetId } = await createTestDoor(bridge(), client);
    await writeToDatabase(bridge(), client, context => deleteDevice(context, deviceId));
    await writeToDatabase(bridge(), client, context => deleteDevice(context, deviceId));
    const { data } = (await client.get('/events?verb=delete&sort=recorded_at:asc')).body;
    expect(data.map(({ object }) => object)).toEqual([
      { type: 'gadget', gadget_id: gadgetId, device_id: deviceId, site_id: siteId },
      { type: 'device', device_id: deviceId, site_id: siteId },
    ]);
    expect((await client.get('/gadgets')).body.data).toEqual([]);
    expect(await client.callOk('GET', `/devices/${deviceId}`)).toMatchObject({ is_deleted: true });
    expect((await client.call('PATCH', `/devices/${deviceId}`, { metadata: {} })).status).toBe(404);
    await writeToDatabase(bridge(), client, context => deleteSite(context, siteId));
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
