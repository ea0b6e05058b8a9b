import type { TechnicianServer } from '@lintel/device-runtime/testing';
import { technicianDeviceResponseSchema } from '@lintel/wire-protocol/admin/controller-details-for-technician';
import { technicianInputRulesResponseSchema } from '@lintel/wire-protocol/technician/input-rules';
import { handoverReportResponseSchema } from '@lintel/wire-protocol/technician/handover-report';
import {
  supportBundleSchema,
  technicianStatusResponseSchema,
} from '@lintel/wire-protocol/technician/status-and-support-bundle';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AdminClient, openAdminSession, adminWithToken } from '../support/bridge/admin-client.ts';
import { TestBridge } from '../support/bridge/test-bridge.ts';
import { RemoteTechnicianClient, serveTechnicianPage } from '../support/technician/remote-technician-client.ts';
import { type FirmwareController, FirmwareSite } from '../support/devices/firmware-site.ts';
import { createTestSite } from '../support/bridge/site-fixtures.ts';

const CARD = '04a1b2c3d4e5f6';

let bridge: TestBridge;
let site: FirmwareSite;
let door: FirmwareController;
let page: TechnicianServer | null;
let technician: AdminClient;
let remote: RemoteTechnicianClient;
/** May open doors and view events, which a technician may not do remotely. */
let administrator: AdminClient;
let remoteAdministrator: RemoteTechnicianClient;

let brokerUrl: string;
let bridgeUrl: string;

beforeAll(async () => {
  bridge = await TestBridge.open({ isTicking: true });
  brokerUrl = `mqtt://127.0.0.1:${await bridge.devices.broker!.listen('127.0.0.1', 0)}`;
  bridgeUrl = await bridge.listen('127.0.0.1', 0);
});
afterAll(() => bridge.close());
beforeEach(async () => {
  site = await FirmwareSite.open(bridge, { url: brokerUrl });
  door = await site.claimController();
  technician = await openAdminSession(bridge, site.client.organizationId, 'technician', [site.siteId]);
  remote = new RemoteTechnicianClient(technician, door.deviceId);
  administrator = await openAdminSession(bridge, site.client.organizationId, 'administrator');
  remoteAdministrator = new RemoteTechnicianClient(administrator, door.deviceId);
  door.start();
  page = await serveTechnicianPage(door);
  await door.waitUntilSynced();
});
afterEach(async () => {
  await page?.stop();
  await site.close();
});

describe('remote technician', () => {
  it('reads the status, the report and the public facts of the controller', async () => {
    const status = await remote.call('GET', '/status');
    expect([status.status, technicianStatusResponseSchema.parse(status.body)]).toMatchObject([
      200,
      { device_id: door.deviceId, claimed: true, upstream: { online: true } },
    ]);
    expect(handoverReportResponseSchema.parse((await remote.call('GET', '/report')).body).by).toEqual({
      user_id: technician.userId,
      pass_id: null,
      user_name: expect.stringMatching(/./),
    });
    expect((await remote.call('GET', '/hello')).body).toMatchObject({
      name: page!.name,
      fingerprint: page!.fingerprint,
    });
  });

  it('executes actions that are recorded with the user and as remote', async () => {
    const done = await remoteAdministrator.call('POST', `/gadgets/${door.gadgetId}/actions/open`, {});
    expect(done.status).toBe(200);
    expect(door.isUnlocked).toBe(true);
    await door.waitUntilEventsUploaded();
    const [used] = await site.events(`verb=use&object.gadget_id=${door.gadgetId}`);
    expect(used).toMatchObject({ id: done.body['event_id'], subject: { user_id: administrator.userId } });
    expect(door.recorded.find(({ kind }) => kind === 'use')?.detail).toBe('open (technician, remote)');
    expect((await remote.call('GET', '/tests')).body.data[0]).toMatchObject({
      id: `gadget:${door.gadgetId}:open`,
      is_remote: true,
      by: { user_id: administrator.userId },
    });
  });

  it('opens no door and shows no events for a role without the permission', async () => {
    const refused = [
      ['POST', `/gadgets/${door.gadgetId}/actions/open`, {}, 'gadgets.execute'],
      ['POST', '/outputs/red/pulse', { ms: 100 }, 'gadgets.execute'],
      ['GET', '/events', undefined, 'events.read'],
      ['GET', '/support_bundle', undefined, 'events.read'],
      ['GET', '/live', undefined, 'events.read'],
    ] as const;
    for (const [method, path, body, permission] of refused) {
      const { status, body: error } = await remote.call(method, path, body);
      expect([path, status, error['args']]).toEqual([path, 403, { reason: 'missing_permission', permission }]);
    }
    expect(door.isUnlocked).toBe(false);
    expect(door.running.outputs.isOn('red')).toBe(false);
  });

  it('edits the rules, which reach the bridge as a local edit does', async () => {
    const input_rules = [{ code: '*7', gadget_id: door.gadgetId, action_id: 'open' }];
    const edited = await remote.call('PUT', '/input_rules', { input_rules });
    expect(technicianInputRulesResponseSchema.parse(edited.body).input_rules).toEqual(input_rules);
    await site.waitUntil(
      async () => !technicianInputRulesResponseSchema.parse((await remote.call('GET', '/input_rules')).body).pending,
      () => door.logged.join('\n'),
    );
    expect((await site.client.callOk('GET', `/devices/${door.deviceId}`))['input_rules']).toEqual(input_rules);
    await door.waitUntilEventsUploaded();
    const edits = await site.events(`verb=edit&object.device_id=${door.deviceId}&subject.user_id=${technician.userId}`);
    expect(edits.map(({ reason }) => reason)).toEqual(expect.arrayContaining(['rules_edited', undefined]));
  });

  it('gets the errors of the controller', async () => {
    const wrong = await remoteAdministrator.call('POST', '/outputs/red/pulse', { ms: 7 });
    expect([wrong.status, wrong.body['args']]).toEqual([400, { field: 'ms' }]);
    expect((await remoteAdministrator.call('POST', '/outputs/nowhere/pulse', { ms: 100 })).status).toBe(404);
    expect((await remoteAdministrator.call('GET', '/events?limit=0')).body['args']).toEqual({ field: 'limit' });
  });

  it('downloads a support bundle that is too large for one message', async () => {
    const { controller } = door.running;
    for (let number = 0; number < 600; number++) controller.setFault(`f${number}`, `${number} `.repeat(60));
    const bundle = await remoteAdministrator.call('GET', '/support_bundle');
    expect(bundle.headers['content-disposition']).toMatch(/^attachment; filename="lintel-/);
    const { events } = supportBundleSchema.parse(bundle.body);
    expect(events.length).toBeGreaterThanOrEqual(600);
    expect(JSON.stringify(bundle.body).length).toBeGreaterThan(256 * 1024);
  });

  it('is rejected where the technician must be at the door', async () => {
    const local = [
      ['POST', '/login', { code: 'x' }],
      ['GET', '/claim', undefined],
      ['POST', '/claim', { ticket: 'x' }],
      ['PUT', '/profile', { name: 'rpi-osdp' }],
      ['POST', '/readers/station-0/next_card', {}],
      ['POST', '/input_rules/try', { code: '', credential: { type: 'pin', pin: '2580' } }],
      ['POST', '/commissioning', { kind: 'pin' }],
      ['DELETE', '/commissioning', undefined],
    ] as const;
    for (const [method, path, body] of local) {
      const { status, body: error } = await remote.call(method, path, body);
      expect([path, status, error['args']]).toEqual([path, 403, { reason: 'at_the_door_only' }]);
    }
  });

  it('reaches no other operation by an address that two parsers read differently', async () => {
    const separators = ['\\', '%5c', '%5C', '%255c', '/', '%2f', '%252f', ';/', '\u2215', '\uff0f'];
    const parents = ['..', '%2e%2e', '.%2e', '%252e%252e', '..;'];
    const operations = ['commissioning', 'input_rules/try', 'claim', 'login'];
    for (const separator of separators)
      for (const parent of parents)
        for (const operation of operations) {
          const target = operation.replaceAll('/', separator);
          for (const base of ['/gadgets/x/actions/', '/outputs/x/pulse/', '/stations/x/feedback/', '/tests/']) {
            const path = `${base}${[parent, parent, parent, target].join(separator)}`;
            const { status, body } = await remote.call('POST', encodeURI(path).replaceAll('%25', '%'), {
              kind: 'pin',
              replace: true,
              code: '',
              credential: { type: 'pin', pin: '2580' },
            });
            expect([path, status]).toEqual([path, expect.toBeOneOf([400, 403, 404, 405])]);
            expect(Object.keys(body)).not.toContain('pin');
            expect(Object.keys(body)).not.toContain('granted');
          }
        }
    expect((await remote.call('GET', '/commissioning')).body['active']).toBe(false);
  });

  it('gets 404 and 405 as a local technician does', async () => {
    const nowhere = await remote.call('GET', '/nowhere');
    expect([nowhere.status, nowhere.body['type']]).toEqual([404, 'not_found']);
    const wrong = await remote.call('POST', '/status', {});
    expect([wrong.status, wrong.body['type'], wrong.headers['allow']]).toEqual([
      405,
      'method_not_allowed',
      'GET, HEAD',
    ]);
    expect((await remote.call('GET', '/login')).status).toBe(405);
    expect((await remote.call('GET', '/commissioning')).status).toBe(200);
  });

  it('gets the live stream without card numbers and PIN digits', async () => {
    const live = await remoteAdministrator.live(bridgeUrl);
    door.running.keypad.press('1');
    door.running.reader.tap(CARD);
    await expect
      .poll(() => live.messages.map(({ type }) => type))
      .toEqual(expect.arrayContaining(['key', 'card', 'event']));
    expect(JSON.stringify(live.messages)).not.toContain(CARD);
    const other = await remoteAdministrator.live(bridgeUrl);
    door.running.keypad.press('#');
    await expect.poll(() => other.messages.some(({ type }) => type === 'key')).toBe(true);
    live.stop();
    other.stop();
  });
});

describe('access to the remote technician', () => {
  const statusFor = async (who: AdminClient, method: 'GET' | 'PUT' = 'GET', path = '/status') =>
    (await new RemoteTechnicianClient(who, door.deviceId).call(method, path, method === 'GET' ? undefined : {})).status;

  it('requires a role that may have a technician pass for the site', async () => {
    const { organizationId } = site.client;
    for (const role of ['owner', 'administrator'] as const)
      expect([role, await statusFor(await openAdminSession(bridge, organizationId, role))]).toEqual([role, 200]);
    expect(await statusFor(await openAdminSession(bridge, organizationId, 'viewer'))).toBe(403);
    const elsewhere = await createTestSite(bridge, site.client);
    expect(await statusFor(await openAdminSession(bridge, organizationId, 'technician', [elsewhere]))).toBe(404);
    expect(await statusFor(await openAdminSession(bridge, organizationId, null))).toBe(404);
    const stranger = await bridge.newOrganization();
    expect(await statusFor(await openAdminSession(bridge, stranger.organizationId, 'owner'))).toBe(404);
  });

  it('requires a token with write scope', async () => {
    const { organizationId } = site.client;
    expect(await statusFor(await adminWithToken(bridge, organizationId, 'full_read_write'))).toBe(200);
    expect(await statusFor(await adminWithToken(bridge, organizationId, 'full_read_only'))).toBe(403);
  });

  it('records the application of a token', async () => {
    const script = await adminWithToken(bridge, site.client.organizationId, 'full_read_write');
    const done = await new RemoteTechnicianClient(script, door.deviceId).call(
      'POST',
      `/gadgets/${door.gadgetId}/actions/open`,
      {},
    );
    await door.waitUntilEventsUploaded();
    const [used] = await site.events(`verb=use&object.gadget_id=${door.gadgetId}`);
    expect(used).toMatchObject({ id: done.body['event_id'], subject: { oauth_application_id: script.userId } });
  });

  it('rejects requests without a session and of other origins', async () => {
    expect((await technician.callRoot('GET', remote.path('/status'), undefined, {})).status).toBe(401);
    const { cookie = '' } = technician.headers;
    const forged = await technician.callRoot('POST', remote.path('/outputs/red/pulse'), { ms: 100 }, { cookie });
    expect(forged.status).toBe(403);
    expect(door.running.outputs.isOn('red')).toBe(false);
  });
});

describe('live stream of a remote technician', () => {
  it('ends when the user is deleted', { tags: ['slow'] }, async () => {
    const live = await remoteAdministrator.live(bridgeUrl);
    const owner = await openAdminSession(bridge, site.client.organizationId, 'owner');
    await owner.callOk('DELETE', `/users/${administrator.userId}`);
    await expect.poll(() => live.ended()).toBe(true);
  });
});

describe('remote technician of an offline controller', () => {
  it('gets 503 until the controller is back', async () => {
    await page!.stop();
    page = null;
    await door.stop();
    await expect.poll(async () => (await remote.call('GET', '/status')).body['type']).toBe('hardware_offline');
    expect((await remote.call('GET', '/status')).status).toBe(503);
    door.start();
    page = await serveTechnicianPage(door);
    await expect.poll(async () => (await remote.call('GET', '/status')).status).toBe(200);
  });

  it('gets 503 and the live stream ends when the controller goes offline during a request', async () => {
    const live = await remoteAdministrator.live(bridgeUrl);
    const { technician } = door.running.controller;
    let isAsked = false;
    technician.page = {
      ...technician.page!,
      handleRequest: () => {
        isAsked = true;
        return new Promise(() => undefined);
      },
    };
    const pending = remote.call('GET', '/status');
    await expect.poll(() => isAsked).toBe(true);
    await page!.stop();
    page = null;
    await door.stop();
    expect((await pending).status).toBe(503);
    await expect.poll(() => live.ended()).toBe(true);
  });

  it('gets 503 when the technician page is not served', async () => {
    await page!.stop();
    page = null;
    expect((await remote.call('GET', '/status')).status).toBe(503);
  });
});

describe('technician page of the bridge', () => {
  const get = (url: string, headers: Readonly<Record<string, string>> = {}) =>
    bridge.bridge.app.inject({ method: 'GET', url, headers });

  it('redirects to the login without a session', async () => {
    const passRequest = '/technician?device_id=dev_1&public_key=B&return_to=https%3A%2F%2F192.168.1.20%3A8443';
    for (const path of ['/technician', '/technician/', `/technician/devices/${door.deviceId}/`, passRequest]) {
      const away = await get(path);
      expect([away.statusCode, away.headers.location]).toEqual([302, `/login?return_to=${encodeURIComponent(path)}`]);
      const back = await get(String(away.headers.location), technician.headers);
      expect([back.statusCode, back.headers.location]).toEqual([302, path]);
      const shown = await get(path, technician.headers);
      expect([shown.statusCode, shown.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      expect(String(shown.headers['content-security-policy'])).toContain("default-src 'none'");
    }
  });

  it('lists the controllers with their local addresses', async () => {
    await expect
      .poll(async () => {
        const { data } = await technician.callOk('GET', '/technician_devices');
        return data.map(one => technicianDeviceResponseSchema.parse(one));
      })
      .toEqual([
        expect.objectContaining({
          device_id: door.deviceId,
          site_id: site.siteId,
          online: true,
          local_name: page!.name,
          local_url: `https://${page!.name}.local:${new URL(page!.url).port}`,
          local_address: page!.url,
          technician_fingerprint: page!.fingerprint,
        }),
      ]);
    const elsewhere = await createTestSite(bridge, site.client);
    const tom = await openAdminSession(bridge, site.client.organizationId, 'technician', [elsewhere]);
    expect((await tom.callOk('GET', '/technician_devices')).data).toEqual([]);
    expect((await technician.callOk('GET', `/technician_devices?site_id=${elsewhere}`)).data).toEqual([]);
  });
});
