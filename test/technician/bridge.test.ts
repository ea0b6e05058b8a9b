import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSimulatedController } from '@lintel/device-runtime/main';
import { type RunningTechnician, startTechnician } from '@lintel/device-runtime/technician/start';
import { loadProfiles } from '@lintel/hardware-profiles/load-profiles';
import type { Profile } from '@lintel/hardware-profiles/profile-schema';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AdminClient, signedIn } from '../support/bridge/administration.ts';
import type { BridgeWorld } from '../support/bridge/bridge-world.ts';
import { aTicket } from '../support/devices/controller-identity.ts';
import type { FirmwareDoor, FirmwareHotel } from '../support/devices/firmware-hotel.ts';
import { door as doorGadget } from '../support/bridge/place.ts';
import { NO_LINE, TechnicianAtDoor } from '../support/technician/technician-at-door.ts';
import { TechnicianClient } from '../support/technician/technician-client.ts';

let world: BridgeWorld;
let hotel: FirmwareHotel;
let door: FirmwareDoor;
let tina: AdminClient;
let pass: string;
let there: TechnicianAtDoor;
let client: TechnicianClient;

beforeEach(async () => {
  there = await TechnicianAtDoor.arrange();
  ({ hotel, door, tina, pass } = there);
  ({ world } = hotel);
});
afterEach(() => there.close());

const visit = async (url?: string): Promise<void> => {
  client = await there.visit(url);
};

const rule = (code: string) => ({ code, gadget_id: door.gadgetId, action_id: 'open' });
const atDoor = () => there.rulesHere();
const atDesk = () => there.rulesAtDesk();
const edit = async (code: string) => {
  const { status, text } = await client.ask('PUT', '/input_rules', { body: { input_rules: [rule(code)] } });
  expect([status, text]).toEqual([200, expect.any(String)]);
};
const answered = () =>
  hotel.until(
    async () => !(await atDoor()).pending,
    () => `the bridge's answer; log: ${door.logged.join('\n')}`,
  );
const editsOfTina = () => there.ownEvents(`object.device_id=${door.deviceId}`);

describe('rules edited at the door', () => {
  it('reach the desk at once where there is a line, with the technician as their editor', async () => {
    await visit();
    await door.caughtUp();
    await edit('*1');
    await answered();
    expect(await atDesk()).toEqual([rule('*1')]);
    await door.reported();
    expect((await editsOfTina()).map(({ verb, reason }) => [verb, reason])).toEqual(
      expect.arrayContaining([
        ['edit', undefined],
        ['edit', 'rules_edited'],
      ]),
    );
  });

  it('hold without a line and are taken over when there is one', async () => {
    await visit();
    await door.caughtUp();
    await visit(NO_LINE);
    await edit('*1');
    await edit('*2');
    expect(await atDoor()).toMatchObject({ input_rules: [rule('*2')], pending: true });
    await visit();
    expect(await atDoor()).toMatchObject({ input_rules: [rule('*2')] });
    await answered();
    await door.caughtUp();
    expect(await atDesk()).toEqual([rule('*2')]);
    expect(await atDoor()).toMatchObject({ input_rules: [rule('*2')], pending: false, conflict: null });
  });

  it('that the desk has overtaken are kept for a person, who may have them after all', async () => {
    await visit();
    await door.caughtUp();
    await visit(NO_LINE);
    await edit('*1');
    await tina.done('PUT', `/devices/${door.deviceId}/input_rules`, { input_rules: [rule('*9')] });
    await visit();
    await answered();
    await door.caughtUp();
    expect(await atDoor()).toMatchObject({
      input_rules: [rule('*9')],
      conflict: { yours: [rule('*1')], theirs: [rule('*9')], outcome: 'superseded' },
    });
    await client.ask('POST', '/input_rules/conflict', { body: { keep: 'yours' } });
    await answered();
    expect(await atDesk()).toEqual([rule('*1')]);
    expect((await atDoor()).conflict).toBeNull();
  });
});

it('what a technician moves is in the log under the own name', async () => {
  await visit();
  await door.caughtUp();
  const { body } = await client.ask('POST', `/gadgets/${door.gadgetId}/actions/open`, { body: {} });
  expect((await client.ask('POST', '/outputs/red/pulse', { body: { ms: 100 } })).status).toBe(200);
  await door.reported();
  const [used] = await hotel.events(`verb=use&object.gadget_id=${door.gadgetId}`);
  expect(used).toMatchObject({ id: body['event_id'], subject: { user_id: tina.userId } });
  expect((await editsOfTina()).map(({ reason }) => reason)).toContain('output_tested');
});

describe('a claim through the controller', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lintel-claim-'));
  let device: ReturnType<typeof createSimulatedController>;
  let page: RunningTechnician;
  const asProduct = async (productId: string, profile?: Profile) => {
    device = createSimulatedController({
      dataDir: folder,
      log: () => undefined,
      system: { now: () => world.now, isSynchronized: () => true },
      network: { product_id: 'virtual', firmware: 'test', url: hotel.url },
    });
    const parts = { dataDir: folder, device, productId, ...(profile === undefined ? {} : { profile }) };
    const quiet = { log: () => undefined, console: () => undefined };
    page = await startTechnician({ ...parts, ...quiet, host: '127.0.0.1', port: 0 });
    client = new TechnicianClient(page.url);
    await client.login({ code: readFileSync(join(folder, 'technician/setup-code'), 'utf8').trim() });
  };
  afterEach(async () => {
    await page.stop();
    await device.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('waits until there is a line, then makes it a device; the code opens it no longer, a pass does', async () => {
    await asProduct('virtual');
    const refused = async (body: object) => (await client.ask('POST', '/claim', { body })).body['args'];
    expect(await refused({})).toEqual({ field: 'ticket' });
    expect(await refused({ code: 'x' })).toEqual({ field: 'bridge_url' });
    expect(await refused({ code: 'x', bridge_url: 'https://bridge.example' })).toEqual({ field: 'code' });
    expect(await refused({ ticket: 'nonsense' })).toEqual({ field: 'ticket' });
    expect((await client.ask('GET', '/claim')).body).toMatchObject({ state: 'unclaimed' });

    const { code } = await aTicket(world, hotel.client, { site_id: hotel.siteId } as never);
    const told = { code, name: 'Back', gadgets: [doorGadget] };
    const waiting = await client.ask('POST', '/claim', { body: { ...told, bridge_url: 'http://127.0.0.1:1' } });
    expect([waiting.status, waiting.body]).toMatchObject([202, { state: 'waiting', bridge_url: 'http://127.0.0.1:1' }]);
    expect(JSON.stringify((await client.ask('GET', '/support_bundle')).body)).not.toContain(code);

    const bridge_url = await world.bridge.listen('127.0.0.1', 0);
    expect((await client.ask('POST', '/claim', { body: { ...told, bridge_url } })).status).toBe(202);
    await expect.poll(async () => (await client.ask('GET', '/claim')).body['state']).toBe('claimed');
    const { body } = await client.ask('GET', '/claim');
    expect(await hotel.client.done('GET', `/devices/${body['device_id']}`)).toMatchObject({ name: 'Back' });
    expect((await client.ask('POST', '/claim', { body: { ...told, bridge_url } })).status).toBe(409);
    const setupCode = readFileSync(join(folder, 'technician/setup-code'), 'utf8').trim();
    expect((await client.login({ code: setupCode })).status).toBe(401);
    expect((await client.login({ pass })).status).toBe(200);
  });

  it('is made anew by somebody at its button, and by nobody with a pass alone', async () => {
    await asProduct('virtual');
    const bridge_url = await world.bridge.listen('127.0.0.1', 0);
    const claim = async (more: object) => {
      const { code } = await aTicket(world, hotel.client, { site_id: hotel.siteId } as never);
      const body = { code, bridge_url, name: 'Back', gadgets: [doorGadget], ...more };
      return (await client.ask('POST', '/claim', { body })).status;
    };
    const current = async () => (await client.ask('GET', '/claim')).body;
    expect(await claim({})).toBe(202);
    await expect.poll(async () => (await current())['state']).toBe('claimed');
    const first = (await current())['device_id'];
    const owner = await signedIn(world, hotel.client.organizationId, 'owner');
    await owner.done('DELETE', `/devices/${String(first)}`);
    expect(await claim({})).toBe(409);
    expect(await claim({ replace: true })).toBe(202);
    await expect.poll(async () => (await current())['device_id']).not.toBe(first);
    await client.login({ pass });
    expect(await claim({ replace: true })).toBe(409);
  });

  it('makes it a device of a product that is not among the shipped ones', async () => {
    const shipped = loadProfiles().find(({ product_id }) => product_id === 'laptop-simulator')!;
    const bridge_url = await world.bridge.listen('127.0.0.1', 0);
    await asProduct('my-door', { ...shipped, product_id: 'my-door', name: 'My door' });
    const { code } = await aTicket(world, hotel.client, { site_id: hotel.siteId } as never);
    expect((await client.ask('POST', '/claim', { body: { code, bridge_url } })).status).toBe(202);
    await expect.poll(async () => (await client.ask('GET', '/claim')).body['state']).toBe('claimed');
    const { body } = await client.ask('GET', '/claim');
    expect(await hotel.client.done('GET', `/devices/${body['device_id']}?expand=product`)).toMatchObject({
      revision_id: shipped.revision,
      capabilities: shipped.capabilities,
      product: { id: 'my-door', name: 'My door' },
    });
  });
});
