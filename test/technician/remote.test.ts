import type { RunningTechnician } from '@lintel/device-runtime/technician/start';
import { technicianDeviceAnswer } from '@lintel/wire-protocol/admin/technician-device';
import { technicianRules } from '@lintel/wire-protocol/technician/input-rules';
import { technicianReport } from '@lintel/wire-protocol/technician/report';
import { supportBundle, technicianStatus } from '@lintel/wire-protocol/technician/status';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AdminClient, signedIn, withToken } from '../support/bridge/administration.ts';
import { BridgeWorld } from '../support/bridge/bridge-world.ts';
import { FarTechnician, servePage } from '../support/technician/far-technician.ts';
import { type FirmwareDoor, FirmwareHotel } from '../support/devices/firmware-hotel.ts';
import { aSite } from '../support/bridge/place.ts';

const CARD = '04a1b2c3d4e5f6';

let world: BridgeWorld;
let hotel: FirmwareHotel;
let door: FirmwareDoor;
let page: RunningTechnician | null;
let tina: AdminClient;
let far: FarTechnician;

beforeEach(async () => {
  world = await BridgeWorld.open({ isTicking: true, actionDeadlineMs: 2_000 });
  hotel = await FirmwareHotel.open(world);
  door = await hotel.door();
  tina = await signedIn(world, hotel.client.organizationId, 'technician', [hotel.siteId]);
  far = new FarTechnician(tina, door.deviceId);
  door.start();
  page = await servePage(door);
  await door.caughtUp();
});
afterEach(async () => {
  await page?.stop();
  await hotel.close();
  await world.close();
});

describe('a technician far away', () => {
  it('looks at what one at the door would see', async () => {
    const status = await far.ask('GET', '/status');
    expect([status.status, technicianStatus.parse(status.body)]).toMatchObject([
      200,
      { device_id: door.deviceId, claimed: true, upstream: { online: true } },
    ]);
    expect(technicianReport.parse((await far.ask('GET', '/report')).body).by).toEqual({
      user_id: tina.userId,
      pass_id: null,
    });
    expect((await far.ask('GET', '/hello')).body).toMatchObject({ name: page!.name, fingerprint: page!.fingerprint });
  });

  it('moves things under the own name, and the controller says that it was from afar', async () => {
    const done = await far.ask('POST', `/gadgets/${door.gadgetId}/actions/open`, {});
    expect(done.status).toBe(200);
    expect(door.isUnlocked).toBe(true);
    await door.reported();
    const [used] = await hotel.events(`verb=use&object.gadget_id=${door.gadgetId}`);
    expect(used).toMatchObject({ id: done.body['event_id'], subject: { user_id: tina.userId } });
    expect(door.recorded.find(({ kind }) => kind === 'use')?.detail).toBe('open (technician, from afar)');
    expect((await far.ask('GET', '/tests')).body.data[0]).toMatchObject({
      id: `gadget:${door.gadgetId}:open`,
      is_remote: true,
      by: { user_id: tina.userId },
    });
  });

  it('edits the rules, which reach the desk as an edit at the door does', async () => {
    const input_rules = [{ code: '*7', gadget_id: door.gadgetId, action_id: 'open' }];
    const edited = await far.ask('PUT', '/input_rules', { input_rules });
    expect(technicianRules.parse(edited.body).input_rules).toEqual(input_rules);
    await hotel.until(
      async () => !technicianRules.parse((await far.ask('GET', '/input_rules')).body).pending,
      () => door.logged.join('\n'),
    );
    expect((await hotel.client.done('GET', `/devices/${door.deviceId}`))['input_rules']).toEqual(input_rules);
    await door.reported();
    const edits = await hotel.events(`verb=edit&object.device_id=${door.deviceId}&subject.user_id=${tina.userId}`);
    expect(edits.map(({ reason }) => reason)).toEqual(expect.arrayContaining(['rules_edited', undefined]));
  });

  it('is answered with the controller’s own errors', async () => {
    const wrong = await far.ask('POST', '/outputs/red/pulse', { ms: 7 });
    expect([wrong.status, wrong.body['args']]).toEqual([400, { field: 'ms' }]);
    expect((await far.ask('POST', '/outputs/nowhere/pulse', { ms: 100 })).status).toBe(404);
    expect((await far.ask('GET', '/events?limit=0')).body['args']).toEqual({ field: 'limit' });
  });

  it('fetches a support bundle that is too large for one message', async () => {
    const { controller } = door.running;
    for (let number = 0; number < 600; number++) controller.setFault(`f${number}`, `${number} `.repeat(60));
    const bundle = await far.ask('GET', '/support_bundle');
    expect(bundle.headers['content-disposition']).toMatch(/^attachment; filename="lintel-/);
    const { events } = supportBundle.parse(bundle.body);
    expect(events.length).toBeGreaterThanOrEqual(600);
    expect(JSON.stringify(bundle.body).length).toBeGreaterThan(256 * 1024);
  });

  it.each([
    ['POST', '/login', { code: 'x' }],
    ['GET', '/claim', undefined],
    ['POST', '/claim', { ticket: 'x' }],
    ['PUT', '/profile', { name: 'rpi-osdp' }],
    ['POST', '/readers/station-0/next_card', {}],
    ['POST', '/input_rules/try', { code: '', credential: { type: 'pin', pin: '2580' } }],
    ['POST', '/commissioning', { kind: 'pin' }],
    ['DELETE', '/commissioning', undefined],
  ] as const)('does not %s %s: that is for the door', async (method, path, body) => {
    const answer = await far.ask(method, path, body);
    expect([answer.status, answer.body['args']]).toEqual([403, { reason: 'at_the_door_only' }]);
  });

  it('is told of an address or a method that is not there as one at the door is', async () => {
    const nowhere = await far.ask('GET', '/nowhere');
    expect([nowhere.status, nowhere.body['type']]).toEqual([404, 'not_found']);
    const wrong = await far.ask('POST', '/status', {});
    expect([wrong.status, wrong.body['type'], wrong.headers['allow']]).toEqual([405, 'method_not_allowed', 'GET']);
    expect((await far.ask('GET', '/login')).status).toBe(405);
    expect((await far.ask('GET', '/commissioning')).status).toBe(200);
  });

  it('sees what happens there as it happens, without a uid or a digit', async () => {
    const url = await world.bridge.listen('127.0.0.1', 0);
    const live = await far.live(url);
    door.running.keypad.press('1');
    door.running.reader.tap(CARD);
    await expect
      .poll(() => live.said.map(({ type }) => type))
      .toEqual(expect.arrayContaining(['key', 'card', 'event']));
    expect(JSON.stringify(live.said)).not.toContain(CARD);
    const other = await far.live(url);
    door.running.keypad.press('#');
    await expect.poll(() => other.said.some(({ type }) => type === 'key')).toBe(true);
    live.stop();
    other.stop();
  });
});

describe('who may', () => {
  const statusFor = async (who: AdminClient, method: 'GET' | 'PUT' = 'GET', path = '/status') =>
    (await new FarTechnician(who, door.deviceId).ask(method, path, method === 'GET' ? undefined : {})).status;

  it('is whoever may have a pass for the site, and nobody else', async () => {
    const { organizationId } = hotel.client;
    for (const role of ['owner', 'administrator'] as const)
      expect([role, await statusFor(await signedIn(world, organizationId, role))]).toEqual([role, 200]);
    expect(await statusFor(await signedIn(world, organizationId, 'viewer'))).toBe(403);
    const elsewhere = await aSite(world, hotel.client);
    expect(await statusFor(await signedIn(world, organizationId, 'technician', [elsewhere]))).toBe(404);
    expect(await statusFor(await signedIn(world, organizationId, null))).toBe(404);
    const stranger = await world.newOrganization();
    expect(await statusFor(await signedIn(world, stranger.organizationId, 'owner'))).toBe(404);
  });

  it('is a token that may write, and not one that only reads', async () => {
    const { organizationId } = hotel.client;
    expect(await statusFor(await withToken(world, organizationId, 'full_read_write'))).toBe(200);
    expect(await statusFor(await withToken(world, organizationId, 'full_read_only'))).toBe(403);
  });

  it('is told in the log by its application where it is a token', async () => {
    const script = await withToken(world, hotel.client.organizationId, 'full_read_write');
    const done = await new FarTechnician(script, door.deviceId).ask(
      'POST',
      `/gadgets/${door.gadgetId}/actions/open`,
      {},
    );
    await door.reported();
    const [used] = await hotel.events(`verb=use&object.gadget_id=${door.gadgetId}`);
    expect(used).toMatchObject({ id: done.body['event_id'], subject: { oauth_application_id: script.userId } });
  });

  it('is nobody without a session, and no page from elsewhere', async () => {
    expect((await tina.ask('GET', far.path('/status'), undefined, {})).status).toBe(401);
    const { cookie = '' } = tina.headers;
    const forged = await tina.ask('POST', far.path('/outputs/red/pulse'), { ms: 100 }, { cookie });
    expect(forged.status).toBe(403);
    expect(door.running.outputs.isOn('red')).toBe(false);
  });
});

it('nobody looks on any longer than they may', async () => {
  const url = await world.bridge.listen('127.0.0.1', 0);
  const live = await far.live(url);
  const owner = await signedIn(world, hotel.client.organizationId, 'owner');
  await owner.done('DELETE', `/users/${tina.userId}`);
  await expect.poll(() => live.ended(), { timeout: 20_000 }).toBe(true);
});

describe('a controller that is not there', () => {
  it('is 503 at once, and again answers when it is back', async () => {
    await page!.stop();
    page = null;
    await door.stop();
    await expect.poll(async () => (await far.ask('GET', '/status')).body['type']).toBe('hardware_offline');
    expect((await far.ask('GET', '/status')).status).toBe(503);
    door.start();
    page = await servePage(door);
    await expect.poll(async () => (await far.ask('GET', '/status')).status, { timeout: 10_000 }).toBe(200);
  });

  it('that goes while it is asked keeps nobody waiting, and ends what is watched', async () => {
    const url = await world.bridge.listen('127.0.0.1', 0);
    const live = await far.live(url);
    const { technician } = door.running.controller;
    let isAsked = false;
    technician.page = {
      ...technician.page!,
      answer: () => {
        isAsked = true;
        return new Promise(() => undefined);
      },
    };
    const asked = far.ask('GET', '/status');
    await expect.poll(() => isAsked).toBe(true);
    await page!.stop();
    page = null;
    await door.stop();
    expect((await asked).status).toBe(503);
    await expect.poll(() => live.ended()).toBe(true);
  });

  it('whose page is not served says so', async () => {
    await page!.stop();
    page = null;
    expect((await far.ask('GET', '/status')).status).toBe(503);
  });
});

describe('the bridge’s own page', () => {
  const get = (url: string, headers: Readonly<Record<string, string>> = {}) =>
    world.bridge.app.inject({ method: 'GET', url, headers });

  it('is for people who are signed in, and sends the others to sign in first', async () => {
    for (const path of ['/technician', '/technician/', `/technician/devices/${door.deviceId}/`]) {
      const away = await get(path);
      expect([away.statusCode, away.headers.location]).toEqual([302, `/login?return_to=${encodeURIComponent(path)}`]);
      const shown = await get(path, tina.headers);
      expect([shown.statusCode, shown.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      expect(String(shown.headers['content-security-policy'])).toContain("default-src 'none'");
    }
  });

  it('lists the controllers with where they are found on their site', async () => {
    await expect
      .poll(async () => {
        const { data } = await tina.done('GET', '/technician_devices');
        return data.map(one => technicianDeviceAnswer.parse(one));
      })
      .toEqual([
        expect.objectContaining({
          device_id: door.deviceId,
          site_id: hotel.siteId,
          online: true,
          local_name: page!.name,
          local_url: `https://${page!.name}.local:${new URL(page!.url).port}`,
          local_address: page!.url,
          technician_fingerprint: page!.fingerprint,
        }),
      ]);
    const elsewhere = await aSite(world, hotel.client);
    const tom = await signedIn(world, hotel.client.organizationId, 'technician', [elsewhere]);
    expect((await tom.done('GET', '/technician_devices')).data).toEqual([]);
    expect((await tina.done('GET', `/technician_devices?site_id=${elsewhere}`)).data).toEqual([]);
  });
});
