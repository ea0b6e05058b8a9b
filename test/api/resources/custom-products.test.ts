import { seedOrganization } from '@lintel/cloud-bridge/seed/seed';
import { parseSeedFile } from '@lintel/cloud-bridge/seed/seed-file';
import type { RedeemClaimRequest } from '@lintel/wire-protocol/claiming/redeem-claim-and-renew-certificate';
import { expect, it } from 'vitest';
import { openAdminSession } from '../../support/bridge/admin-client.ts';
import type { TestBridge, TestOrganizationClient } from '../../support/bridge/test-bridge.ts';
import { issueTicket, ControllerIdentity } from '../../support/devices/controller-identity.ts';
import { describeOnBothDatabases } from '../../support/bridge/describe-on-both-databases.ts';
import { createTestDevice, createTestSite, door } from '../../support/bridge/site-fixtures.ts';

const capabilities = {
  gadgets: 'multiple',
  gadget_max_count: 2,
  script: false,
  internet: true,
  ethernet: true,
  wifi: false,
  cellular: false,
  pin: false,
  nfc: true,
  input_rules: true,
  mains: true,
  battery: false,
  battery_rechargeable: false,
  audio: false,
} as const;

const myDoor = {
  product_id: 'my-door',
  revision_id: '1',
  product: { name: 'My door', capabilities },
} satisfies Partial<RedeemClaimRequest>;

type Place = Parameters<typeof issueTicket>[2];

const tryClaim = async (
  bridge: TestBridge,
  client: TestOrganizationClient,
  place: Place,
  overrides: Partial<RedeemClaimRequest>,
) => {
  const { ticket } = await issueTicket(bridge, client, place);
  const { status, body } = await new ControllerIdentity(bridge).tryRedeem(bridge, { ticket, ...myDoor, ...overrides });
  return { status, body, field: (body['args'] as { field?: string } | undefined)?.field };
};

const claim = async (
  bridge: TestBridge,
  client: TestOrganizationClient,
  place: Place,
  overrides: Partial<RedeemClaimRequest> = {},
) => {
  const { status, body } = await tryClaim(bridge, client, place, overrides);
  expect([status, body['message']]).toEqual([200, undefined]);
  return body['device_id'] as string;
};

const arrange = async (bridge: TestBridge) => {
  const client = await bridge.newOrganization();
  return { client, site_id: await createTestSite(bridge, client) };
};

const idsOf = async (client: TestOrganizationClient): Promise<string[]> =>
  (await client.callOk('GET', '/products')).data.map(({ id }) => id);

describeOnBothDatabases('custom product', bridge => {
  it('is created by the first claimed controller, and belongs to its organization only', async () => {
    const { client, site_id } = await arrange(bridge());
    const { client: stranger } = await arrange(bridge());
    expect((await client.get('/products/my-door')).status).toBe(404);
    const deviceId = await claim(bridge(), client, { site_id }, { gadgets: [door] });
    expect(await client.callOk('GET', `/devices/${deviceId}?expand=product`)).toMatchObject({
      product_id: 'my-door',
      revision_id: '1',
      capabilities,
      product: { id: 'my-door', name: 'My door' },
    });
    expect(await client.callOk('GET', '/products/my-door')).toEqual({ id: 'my-door', name: 'My door' });
    expect(await idsOf(client)).toContain('my-door');
    expect(await idsOf(client)).toContain('virtual');
    expect((await stranger.get('/products/my-door')).status).toBe(404);
    expect(await idsOf(stranger)).not.toContain('my-door');
  });

  it('is listed in pages among the shipped products, in their order', async () => {
    const { client, site_id } = await arrange(bridge());
    await claim(bridge(), client, { site_id });
    const all = (await client.callOk('GET', '/products?sort=name:asc')).data.map(({ name }) => String(name));
    expect(all).toContain('My door');
    expect(all).toEqual(all.toSorted());
    const paged: string[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const from: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const page = await client.callOk('GET', `/products?sort=name:asc&limit=2${from}`);
      paged.push(...page.data.map(({ name }) => String(name)));
      cursor = page['cursor_next'] as string | undefined;
    }
    expect(paged).toEqual(all);
  });

  it('may have the same id in two organizations with different content', async () => {
    const [one, other] = [await arrange(bridge()), await arrange(bridge())];
    await claim(bridge(), one.client, { site_id: one.site_id });
    const product = { name: 'Another', capabilities: { ...capabilities, gadget_max_count: 5 } };
    await claim(bridge(), other.client, { site_id: other.site_id }, { product });
    expect(await one.client.callOk('GET', '/products/my-door')).toMatchObject({ name: 'My door' });
    expect(await other.client.callOk('GET', '/products/my-door')).toMatchObject({ name: 'Another' });
  });

  it('limits devices and gadgets, at the claim and in the administration API', async () => {
    const { client, site_id } = await arrange(bridge());
    const admin = await openAdminSession(bridge(), client.organizationId, 'owner');
    const body = { site_id, name: 'Gate', product_id: 'my-door', gadgets: [door, door] };
    expect((await admin.call('POST', '/devices', body)).body).toMatchObject({ args: { field: 'product_id' } });
    const tooMany = await tryClaim(bridge(), client, { site_id }, { gadgets: [door, door, door] });
    expect([tooMany.status, tooMany.field]).toEqual([400, 'gadgets']);
    expect((await client.get('/products/my-door')).status).toBe(404);
    await claim(bridge(), client, { site_id }, { gadgets: [door] });
    expect(await admin.callOk('GET', '/products/my-door')).toEqual({ id: 'my-door', name: 'My door' });
    const { id } = await admin.callOk('POST', '/devices', body);
    expect((await admin.call('POST', '/gadgets', { device_id: id, ...door })).body).toMatchObject({
      args: { field: 'device_id' },
    });
    expect((await admin.call('POST', '/devices', { ...body, gadgets: [door, door, door] })).status).toBe(400);
    const { client: stranger, site_id: elsewhere } = await arrange(bridge());
    await expect(
      createTestDevice(bridge(), stranger, { site_id: elsewhere, product_id: 'my-door' }),
    ).rejects.toMatchObject({
      args: { field: 'product_id' },
    });
  });

  it('may be used in a seed file after it exists', async () => {
    const { services } = bridge();
    const sown = async (devices: readonly object[], gadgets: readonly object[]) => {
      const organization = { key: `own-${services.storage.engine}`, name: 'Makers' };
      const sites = [{ key: 'site', name: 'Main' }];
      const file = parseSeedFile({ organization, sites, devices, gadgets });
      if (!file.ok) throw new Error(JSON.stringify(file.problems));
      return (await seedOrganization(services, file.value)).ids;
    };
    const device = { key: 'dev', site: 'site', name: 'Front', product_id: 'my-door' };
    const gadgets = [1, 2, 3].map(number => ({ key: `door${number}`, device: 'dev', name: `Door ${number}` }));
    const ids = await sown([], []);
    const client = { organizationId: ids[`own-${services.storage.engine}`] } as unknown as TestOrganizationClient;
    await expect(sown([device], [])).rejects.toMatchObject({ args: { field: 'devices.0.product_id' } });
    await claim(bridge(), client, { site_id: ids['site'] as never });
    await expect(sown([device], gadgets)).rejects.toMatchObject({ type: 'invalid_request' });
    expect(await sown([device], gadgets.slice(0, 2))).toHaveProperty('dev');
  });

  it('changes with its revision, and existing devices get the new capabilities', async () => {
    const { client, site_id } = await arrange(bridge());
    const device_id = await claim(bridge(), client, { site_id }, { gadgets: [door] });
    const withKeypad = { name: 'My door 2', capabilities: { ...capabilities, pin: true } };
    await claim(bridge(), client, { site_id, device_id });
    const same = await tryClaim(bridge(), client, { site_id }, { product: withKeypad });
    expect([same.status, same.field]).toEqual([400, 'revision_id']);
    expect(await claim(bridge(), client, { site_id, device_id }, { revision_id: '2', product: withKeypad })).toBe(
      device_id,
    );
    expect(await client.callOk('GET', `/devices/${device_id}?expand=product`)).toMatchObject({
      revision_id: '2',
      capabilities: { pin: true },
      product: { name: 'My door 2' },
    });
    const bare = { name: 'Bare', capabilities: { ...capabilities, gadgets: 'none', gadget_max_count: 0 } } as const;
    const unfit = await tryClaim(bridge(), client, { site_id, device_id }, { revision_id: '3', product: bare });
    expect([unfit.status, unfit.field]).toEqual([400, 'product.capabilities.gadgets']);
    const { data } = await client.callOk('GET', `/gadgets?device_id=${device_id}`);
    const input_rules = [{ code: '', gadget_id: data[0]!.id, action_id: 'open' }];
    const admin = await openAdminSession(bridge(), client.organizationId, 'owner');
    await admin.callOk('PUT', `/devices/${device_id}/input_rules`, { input_rules });
    const ruleless = { name: 'x', capabilities: { ...capabilities, input_rules: false } };
    const unruly = await tryClaim(bridge(), client, { site_id, device_id }, { revision_id: '3', product: ruleless });
    expect([unruly.status, unruly.field]).toEqual([400, 'product.capabilities.input_rules']);
    expect(await client.callOk('GET', '/products/my-door')).toMatchObject({ name: 'My door 2' });
  });

  it('cannot replace a device of another product', async () => {
    const { client, site_id } = await arrange(bridge());
    const { deviceId } = await createTestDevice(bridge(), client, { site_id });
    const refused = await tryClaim(bridge(), client, { site_id, device_id: deviceId }, {});
    expect([refused.status, refused.field]).toEqual([400, 'product_id']);
    expect((await client.get('/products/my-door')).status).toBe(404);
  });

  it('cannot replace a shipped product, and is rejected with contradictory capabilities', async () => {
    const { client, site_id } = await arrange(bridge());
    const taken = { product_id: 'virtual', product: { name: 'Mine', capabilities: { ...capabilities, pin: false } } };
    const deviceId = await claim(bridge(), client, { site_id }, taken);
    expect(await client.callOk('GET', `/devices/${deviceId}`)).toMatchObject({ capabilities: { pin: true } });
    expect(await client.callOk('GET', '/products/virtual')).toMatchObject({ name: 'Virtual device' });
    const kept = bridge().services.storage.reader.selectFrom('organization_products').select('id');
    expect(await kept.where('organization_id', '=', client.organizationId).execute()).toEqual([]);
    const fieldOf = async (overrides: object) => (await tryClaim(bridge(), client, { site_id }, overrides)).field;
    const having = (change: object) => ({ product: { name: 'x', capabilities: { ...capabilities, ...change } } });
    expect(await fieldOf(having({ gadget_max_count: 1 }))).toBe('product.capabilities.gadget_max_count');
    expect(await fieldOf(having({ mains: false }))).toBe('product.capabilities.mains');
    expect(await fieldOf(having({ gadgets: 'many' }))).toBe('product.capabilities.gadgets');
    expect(await fieldOf(having({ wings: true }))).toBe('product.capabilities.wings');
    expect(await fieldOf({ product_id: 'My Door' })).toBe('product_id');
    expect(await fieldOf({ revision_id: null })).toBe('revision_id');
    expect(await fieldOf({ product: undefined })).toBe('product_id');
    expect((await idsOf(client)).filter(id => id.toLowerCase().startsWith('my'))).toEqual([]);
  });

  it('is overridden by a shipped product with the same id, and is limited to 100 per organization', async () => {
    const { client, site_id } = await arrange(bridge());
    const { writer } = bridge().services.storage;
    const row = (id: string) => ({ id, name: 'x', revision_id: '1', capabilities: JSON.stringify(capabilities) });
    const owned = Array.from({ length: 98 }, (_, number) => row(`board-${number}`));
    const organization_id = client.organizationId;
    const values = [...owned, { ...row('gateway'), name: 'A gateway' }].map(one => ({ organization_id, ...one }));
    await writer.insertInto('organization_products').values(values).execute();
    expect(await client.callOk('GET', '/products/gateway')).toEqual({ id: 'gateway', name: 'Site gateway' });
    const listed = (await client.callOk('GET', '/products?sort=name:asc&limit=20')).data.filter(
      ({ id }) => id === 'gateway',
    );
    expect(listed).toEqual([{ id: 'gateway', name: 'Site gateway' }]);
    await claim(bridge(), client, { site_id });
    const full = await tryClaim(bridge(), client, { site_id }, { product_id: 'one-more' });
    expect([full.status, full.field]).toEqual([400, 'product']);
    await claim(bridge(), client, { site_id }, { revision_id: '2' });
  });
});
