import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSimulatedController } from '@lintel/simulator/virtual-hardware/simulated-controller';
import { startTechnicianServer, type TechnicianServer } from '@lintel/device-runtime/testing';
import { loadProfiles } from '@lintel/hardware-profiles/load-profiles';
import type { Profile } from '@lintel/hardware-profiles/check-profile';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openAdminSession } from '../support/bridge/admin-client.ts';
import { createTestSite, door as doorGadget } from '../support/bridge/site-fixtures.ts';
import { TestBridge } from '../support/bridge/test-bridge.ts';
import { issueTicket } from '../support/devices/controller-identity.ts';
import type { FirmwareSite } from '../support/devices/firmware-site.ts';
import { ClaimedControllerFixture } from '../support/technician/claimed-controller-fixture.ts';
import { TechnicianApiClient } from '../support/technician/technician-api-client.ts';

let bridge: TestBridge;
let site: FirmwareSite;
let pass: string;
let fixture: ClaimedControllerFixture;
let client: TechnicianApiClient;
let brokerUrl: string;
let bridgeUrl: string;

beforeAll(async () => {
  bridge = await TestBridge.open();
  brokerUrl = `mqtt://127.0.0.1:${await bridge.devices.broker!.listen('127.0.0.1', 0)}`;
  bridgeUrl = await bridge.listen('127.0.0.1', 0);
});
afterAll(() => bridge.close());
beforeEach(async () => {
  fixture = await ClaimedControllerFixture.create(bridge, brokerUrl);
  ({ site, pass } = fixture);
});
afterEach(() => fixture.close());

describe('POST /claim of the technician API', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lintel-claim-'));
  let device: ReturnType<typeof createSimulatedController>;
  let page: TechnicianServer;
  const startUnclaimed = async (productId: string, profile?: Profile) => {
    device = createSimulatedController({
      dataDir: folder,
      log: () => undefined,
      system: { now: () => bridge.now, isSynchronized: () => true },
      network: { product_id: 'virtual', firmware: 'test', url: site.url },
    });
    const parts = { dataDir: folder, device, productId, ...(profile === undefined ? {} : { profile }) };
    const quiet = { log: () => undefined, console: () => undefined };
    page = await startTechnicianServer({ ...parts, ...quiet, host: '127.0.0.1', port: 0 });
    client = new TechnicianApiClient(page.url);
    await client.login({ code: readFileSync(join(folder, 'technician/setup-code'), 'utf8').trim() });
  };
  afterEach(async () => {
    await page.stop();
    await device.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('says that a controller waits for a confirmation, with the fingerprint that the console shows', async () => {
    await startUnclaimed('virtual');
    const { organizationId } = site.client;
    const technician = await openAdminSession(bridge, organizationId, 'technician', [site.siteId]);
    const { code } = await technician.callOk('POST', '/claim_tickets', { site_id: site.siteId });
    const claim = { code: String(code), name: 'Laptop', gadgets: [doorGadget], bridge_url: bridgeUrl };
    await client.call('POST', '/claim', { body: claim });
    const confirmation = async () => (await client.call('GET', '/claim')).body['confirmation'];
    await expect.poll(confirmation).toEqual({ fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) });
    const { device_id } = (await client.call('GET', '/claim')).body;
    const owner = await openAdminSession(bridge, organizationId, 'owner');
    const { waiting } = await owner.callOk('GET', `/devices/${device_id}/connection`);
    expect(waiting).toMatchObject([await confirmation()]);
    await owner.callOk('POST', `/devices/${device_id}/confirm`, { ...((await confirmation()) as unknown as object) });
    await expect.poll(confirmation).toBeNull();
  });

  it('waits for the bridge and claims the controller, which then accepts passes and no longer the setup code', async () => {
    await startUnclaimed('virtual');
    const refused = async (body: object) => (await client.call('POST', '/claim', { body })).body['args'];
    expect(await refused({})).toEqual({ field: 'ticket' });
    expect(await refused({ code: 'x' })).toEqual({ field: 'bridge_url' });
    expect(await refused({ code: 'x', bridge_url: 'https://bridge.example' })).toEqual({ field: 'code' });
    expect(await refused({ ticket: 'nonsense' })).toEqual({ field: 'ticket' });
    expect((await client.call('GET', '/claim')).body).toMatchObject({ state: 'unclaimed' });

    const { code } = await issueTicket(bridge, site.client, { site_id: site.siteId } as never);
    const claim = { code, name: 'Back', gadgets: [doorGadget] };
    const waiting = await client.call('POST', '/claim', { body: { ...claim, bridge_url: 'http://127.0.0.1:1' } });
    expect([waiting.status, waiting.body]).toMatchObject([202, { state: 'waiting', bridge_url: 'http://127.0.0.1:1' }]);
    expect(JSON.stringify((await client.call('GET', '/support_bundle')).body)).not.toContain(code);

    const bridge_url = bridgeUrl;
    expect((await client.call('POST', '/claim', { body: { ...claim, bridge_url } })).status).toBe(202);
    await expect.poll(async () => (await client.call('GET', '/claim')).body['state']).toBe('claimed');
    const { body } = await client.call('GET', '/claim');
    expect(await site.client.callOk('GET', `/devices/${body['device_id']}`)).toMatchObject({ name: 'Back' });
    expect((await client.call('POST', '/claim', { body: { ...claim, bridge_url } })).status).toBe(409);
    const setupCode = readFileSync(join(folder, 'technician/setup-code'), 'utf8').trim();
    expect((await client.login({ code: setupCode })).status).toBe(401);
    expect((await client.login({ pass })).status).toBe(200);
  });

  it('replaces a claim with the setup code, and not with a pass', async () => {
    await startUnclaimed('virtual');
    const bridge_url = bridgeUrl;
    const claim = async (more: object) => {
      const { code } = await issueTicket(bridge, site.client, { site_id: site.siteId } as never);
      const body = { code, bridge_url, name: 'Back', gadgets: [doorGadget], ...more };
      return (await client.call('POST', '/claim', { body })).status;
    };
    const current = async () => (await client.call('GET', '/claim')).body;
    expect(await claim({})).toBe(202);
    await expect.poll(async () => (await current())['state']).toBe('claimed');
    const first = (await current())['device_id'];
    const owner = await openAdminSession(bridge, site.client.organizationId, 'owner');
    await owner.callOk('DELETE', `/devices/${String(first)}`);
    expect(await claim({})).toBe(409);
    expect(await claim({ replace: true })).toBe(409);
    page.pressSetupButton();
    expect(await claim({ replace: true })).toBe(202);
    await expect.poll(async () => (await current())['device_id']).not.toBe(first);
    await client.login({ pass });
    expect(await claim({ replace: true })).toBe(409);
  });

  it('ends what the setup code permits at the claim, also for sessions that are open', async () => {
    await startUnclaimed('virtual');
    const claimant = client;
    const earlier = new TechnicianApiClient(page.url);
    const setupCode = readFileSync(join(folder, 'technician/setup-code'), 'utf8').trim();
    await earlier.login({ code: setupCode });
    page.pressSetupButton();
    const { code } = await issueTicket(bridge, site.client, { site_id: site.siteId } as never);
    const body = { code, bridge_url: bridgeUrl, gadgets: [doorGadget] };
    expect((await claimant.call('POST', '/claim', { body })).status).toBe(202);
    await expect.poll(async () => (await claimant.call('GET', '/claim')).body['state']).toBe('claimed');
    expect((await earlier.call('GET', '/status')).status).toBe(401);
    expect((await earlier.login({ code: setupCode })).status).toBe(401);
    await expect
      .poll(async () => (await claimant.call('POST', '/commissioning', { body: { kind: 'pin' } })).body['args'])
      .toEqual({ reason: 'setup_code_ended' });
    const other = await bridge.newOrganization();
    const site_id = await createTestSite(bridge, other);
    const foreign = await issueTicket(bridge, other, { site_id });
    const replacing = { code: foreign.code, bridge_url: bridgeUrl, replace: true };
    expect((await claimant.call('POST', '/claim', { body: replacing })).status).toBe(409);
    page.pressSetupButton();
    expect((await earlier.login({ code: setupCode })).status).toBe(200);
    expect((await earlier.call('POST', '/claim', { body: replacing })).status).toBe(202);
    await expect
      .poll(async () => (await earlier.call('GET', '/claim')).body['organization_id'])
      .toBe(other.organizationId);
    expect((await claimant.call('GET', '/status')).status).toBe(401);
  });

  it('claims a device of a product that is not shipped', async () => {
    const shipped = loadProfiles().find(({ product_id }) => product_id === 'laptop-simulator')!;
    const bridge_url = bridgeUrl;
    await startUnclaimed('my-door', { ...shipped, product_id: 'my-door', name: 'My door' });
    const { code } = await issueTicket(bridge, site.client, { site_id: site.siteId } as never);
    expect((await client.call('POST', '/claim', { body: { code, bridge_url } })).status).toBe(202);
    await expect.poll(async () => (await client.call('GET', '/claim')).body['state']).toBe('claimed');
    const { body } = await client.call('GET', '/claim');
    expect(await site.client.callOk('GET', `/devices/${body['device_id']}?expand=product`)).toMatchObject({
      revision_id: shipped.revision,
      capabilities: shipped.capabilities,
      product: { id: 'my-door', name: 'My door' },
    });
  });
});
