import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { DeviceResponse } from '@lintel/wire-protocol/rest/device';
import { SimulatorPageDriver } from '../support/browser/simulator-page-driver.ts';
import { desktop, useBrowser } from '../support/browser/test-browser.ts';
import { DemoProcess } from '../support/processes/demo-process.ts';
import { runLintel } from '../support/processes/lintel-command.ts';
import { asWholeWord } from '../support/as-whole-word.ts';

// Longer than the path of a Unix socket may be.
const parent = mkdtempSync(join(tmpdir(), 'lintel-demo-'));
const folder = join(parent, 'a-folder-with-a-long-path'.repeat(4));
let demo: DemoProcess;

describe('npm start', () => {
  beforeAll(async () => {
    demo = await DemoProcess.start(folder);
  }, 120_000);

  afterAll(async () => {
    await demo.stop();
    rmSync(parent, { recursive: true, force: true });
  });

  /** Command lines of the processes that run in this folder or have it as an argument. */
  const processesOf = (dataDir: string): string[] =>
    readdirSync('/proc')
      .filter(name => /^\d+$/.test(name))
      .flatMap(name => {
        try {
          const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
          return readlinkSync(`/proc/${name}/cwd`) === dataDir || command.includes(dataDir) ? [command] : [];
        } catch {
          return [];
        }
      });

  const frontControllers = (): number =>
    processesOf(folder).filter(command => command.includes('--data front ')).length;

  const isDeliveredUse = ({ kind, way }: { kind: string; way: { webhook: string | null } }): boolean =>
    kind === 'use' && way.webhook !== null;

  it('serves two sites, six doors and people with credentials', async () => {
    const world = await demo.world();
    expect(world.sites.map(({ timezone }) => timezone)).toEqual(['Europe/Madrid', 'Atlantic/Canary']);
    expect(world.doors.map(({ name, code }) => [name, code])).toEqual([
      ['Front door', ''],
      ['Garage', '*1'],
      ['Room 101', '101'],
      ['Room 102', '102'],
      ['Room 103', '103'],
      ['Room 104', '104'],
    ]);
    await expect
      .poll(async () => (await demo.world()).controllers.map(one => [one.power, one.is_online, one.upstream]))
      .toEqual([
        ['on', true, 'bridge'],
        ['on', true, 'gateway'],
      ]);
    expect(world.people.map(({ name }) => name)).toContain('Ann Berg');
  });

  it('opens the front door by PIN and delivers the event to the webhook once', async () => {
    const live = await demo.live();
    expect(await demo.post('controllers/front/keys', { keys: demo.addresses.pin })).toMatchObject({ status: 200 });
    await demo.waitUntilDoor('front-door', ({ is_unlocked, leaf }) => is_unlocked && leaf === 'open');
    await demo.waitUntilDoor('front-door', ({ leaf }) => leaf === 'closed');
    const [event] = await demo.activity('front-door', isDeliveredUse);
    expect(event).toMatchObject({
      who: 'Ann Berg',
      method: 'pin',
      decided_by: 'door',
      passes_gateway: false,
      deliveries: 1,
      words: 'Front door opened for Ann Berg with a PIN',
    });
    const { door, gateway, bridge, webhook } = event!.way;
    expect(gateway).toBeNull();
    expect([door, bridge, webhook].map(at => Date.parse(at!))).toEqual(
      [door, bridge, webhook].map(at => Date.parse(at!)).toSorted((a, b) => a - b),
    );
    live.stop();
    expect(live.messages[0]?.type).toBe('world');
    expect(live.messages.some(one => one.type === 'door' && one.door.leaf === 'open')).toBe(true);
    expect(JSON.stringify(live.messages.slice(1))).not.toMatch(asWholeWord(demo.addresses.pin));
  });

  describe('page', () => {
    const browser = useBrowser();

    it('opens the front door for a PIN on the keypad and shows the event on its way to the webhook', {
      tags: ['slow'],
    }, async () => {
      const simulator = await SimulatorPageDriver.open(browser, desktop, demo.addresses.page);
      await simulator.waitForDoor('Front door', 'locked');
      await simulator.press('Front door', demo.addresses.pin);
      await simulator.waitUntilOpened('Front door');
      const row = simulator.event('Front door opened for Ann Berg with a PIN').first();
      await simulator.stop(row, 'webhook', 'reached').waitFor();
      await simulator.waitForDoor('Front door', 'locked');
    });
  });

  it('opens doors behind the gateway by phone and by card and sends their events through the gateway', async () => {
    await demo.post('controllers/corridor/keys', { keys: '103' });
    await demo.waitUntilController('corridor', ({ stations }) => stations[0]!.entry.door === 'door-103');
    expect(await demo.post('controllers/corridor/tap', { person: 'frank', with: 'phone' })).toMatchObject({
      status: 200,
    });
    const [event] = await demo.activity('door-103', isDeliveredUse);
    expect(event).toMatchObject({ who: 'Frank Moll', method: 'mobile_nfc', passes_gateway: true, deliveries: 1 });
    expect(event!.way.gateway).not.toBeNull();
    await demo.post('controllers/corridor/keys', { keys: '104' });
    await demo.post('controllers/corridor/tap', { card: demo.addresses.card });
    expect((await demo.activity('door-104', isDeliveredUse))[0]).toMatchObject({ who: 'Frank Moll', method: 'card' });
  });

  it('performs actions and sends signals of virtual devices, whose triggers fire', { tags: ['slow'] }, async () => {
    const gadget = async (name: string) =>
      (await demo.world()).virtual_devices.flatMap(({ gadgets }) => gadgets).find(one => one.name === name)!;
    const { gadget_id, state, signals } = await gadget('Annex door');
    expect([state?.id, signals]).toEqual(['closed', [{ id: 'doorbell', name: 'Doorbell' }]]);
    expect((await gadget('Annex light')).state?.id).toBe('off');
    const send = (command: string, body: object) => demo.post(`virtual_devices/annex-front/${command}`, body);
    expect((await send('signal', { gadget_id, signal_id: 'doorbell' })).status).toBe(200);
    await vi.waitUntil(async () => (await gadget('Annex light')).state?.id === 'on', { timeout: 30_000 });
    const words = async () => (await demo.world()).activity.map(one => one.words);
    await expect.poll(words).toEqual(expect.arrayContaining(['Annex door reports doorbell', 'Annex light is on']));
    expect((await send('action', { gadget_id, action_id: 'open' })).status).toBe(200);
    await expect.poll(words).toContainEqual(expect.stringMatching(/^Annex door opened/));
    expect((await send('signal', { gadget_id, signal_id: 'unknown' })).status).toBe(409);
    expect((await send('signal', { gadget_id: 'gad_unknown', signal_id: 'doorbell' })).status).toBe(404);
  });

  it('denies a member whose stay has not started and shows the reason', { tags: ['slow'] }, async () => {
    // The door is still open from the test before.
    await demo.waitUntilDoor('door-104', ({ is_unlocked, leaf }) => !is_unlocked && leaf === 'closed');
    await demo.post('controllers/corridor/keys', { keys: '1048642#' });
    const [denied] = await demo.activity('door-104', ({ kind }) => kind === 'deny');
    expect(denied).toMatchObject({ who: 'Carla Ruiz', reason: 'member_not_started', decided_by: 'door' });
    expect(await demo.door('door-104')).toMatchObject({ leaf: 'closed', is_unlocked: false });
  });

  it('opens doors while the internet is cut and delivers their events once afterwards', {
    tags: ['slow'],
  }, async () => {
    await demo.post('lines', { switch: 'internet', mode: 'cut' });
    await demo.waitUntilController('front', ({ is_online }) => !is_online);
    await demo.waitUntilController('corridor', ({ is_online }) => !is_online);
    const before = new Set((await demo.world()).activity.map(({ id }) => id));
    await demo.post('controllers/front/keys', { keys: '13579' });
    await demo.post('controllers/corridor/keys', { keys: '10213579' });
    const isNew = ({ id, kind }: { id: string; kind: string }): boolean => kind === 'use' && !before.has(id);
    const [front] = await demo.activity('front-door', isNew);
    const [room] = await demo.activity('door-102', one => isNew(one) && one.way.gateway !== null);
    expect(front).toMatchObject({ who: 'Bao Tran', way: { bridge: null, webhook: null }, deliveries: 0 });
    expect(room).toMatchObject({ who: 'Bao Tran', way: { bridge: null, webhook: null }, deliveries: 0 });
    expect((await demo.controller('front')).waiting_events).toBeGreaterThan(0);
    expect((await demo.controller('corridor')).waiting_events).toBeGreaterThan(0);
    await demo.post('lines', { switch: 'internet', mode: 'up' });
    for (const [door, id] of [
      ['front-door', front!.id],
      ['door-102', room!.id],
    ] as const) {
      await demo.activity(door, one => one.id === id && one.way.webhook !== null);
    }
    await demo.waitUntilController('front', ({ waiting_events }) => waiting_events === 0);
    await demo.waitUntilController('corridor', ({ waiting_events }) => waiting_events === 0);
    const all = (await demo.world()).activity.filter(({ id, way }) => !before.has(id) && way.webhook !== null);
    expect(all.map(({ deliveries }) => deliveries)).toEqual(all.map(() => 1));
  });

  it('opens doors behind the gateway while the gateway link is cut', { tags: ['slow'] }, async () => {
    await demo.post('lines', { switch: 'gateway_link', mode: 'cut' });
    await demo.waitUntilController('corridor', ({ is_connected }) => !is_connected);
    expect((await demo.world()).lines.map(({ mode }) => mode)).toEqual(['up', 'up', 'cut']);
    await demo.post('controllers/corridor/keys', { keys: '1012580' });
    const [event] = await demo.activity('door-101', ({ kind }) => kind === 'use');
    expect(event!.way).toMatchObject({ gateway: null, bridge: null });
    await demo.post('lines', { line: 'corridor-gateway', mode: 'up' });
    await demo.activity('door-101', one => one.id === event!.id && one.way.webhook !== null && one.deliveries === 1);
  });

  it('keeps a written event over a power cut during a tap and serves the door again', { tags: ['slow'] }, async () => {
    const before = new Set((await demo.world()).activity.map(({ id }) => id));
    const isNew = ({ id, kind }: { id: string; kind: string }): boolean => kind === 'use' && !before.has(id);
    expect(frontControllers()).toBe(1);
    await demo.post('controllers/front/tap', { person: 'ann', with: 'card' });
    await demo.post('controllers/front/power', { on: false });
    expect(await demo.controller('front')).toMatchObject({ power: 'off', is_connected: false });
    expect(await demo.door('front-door')).toMatchObject({ is_unlocked: false });
    expect(frontControllers()).toBe(0);
    const refused = await demo.post('controllers/front/keys', { keys: '1' });
    expect(refused).toEqual({ status: 409, message: 'The controller has no power' });
    expect(await demo.post('controllers/front/power', { on: true })).toMatchObject({ status: 200 });
    const [event] = await demo.activity('front-door', one => isNew(one) && one.way.webhook !== null);
    expect(event).toMatchObject({ who: 'Ann Berg', method: 'card', deliveries: 1 });
    // Members with an end date are denied until the clock is trusted.
    await demo.waitUntilController('front', ({ is_online, clock }) => is_online && clock?.trusted === true);
  });

  it('opens a door with a full disk, reports the fault, and uploads the event when there is room again', {
    tags: ['slow'],
  }, async () => {
    expect(await demo.post('controllers/front/disk', { full: true })).toMatchObject({ status: 200 });
    const before = new Set((await demo.world()).activity.map(({ id }) => id));
    await demo.post('controllers/front/keys', { keys: demo.addresses.pin });
    await demo.waitUntilDoor('front-door', ({ is_unlocked }) => is_unlocked);
    await demo.waitUntilController('front', ({ faults }) => faults.some(({ code }) => code === 'event_store'));
    await demo.post('controllers/front/disk', { full: false });
    const isNew = ({ id, kind }: { id: string; kind: string }): boolean => kind === 'use' && !before.has(id);
    const found = await demo.activity('front-door', one => isNew(one) && one.way.webhook !== null);
    expect(found.map(({ deliveries }) => deliveries)).toEqual([1]);
    await demo.waitUntilController('front', ({ faults }) => faults.length === 0);
  });

  it('grants access and reports the fault on a controller that starts with a full disk', {
    tags: ['slow'],
  }, async () => {
    await demo.post('controllers/front/disk', { full: true });
    await demo.post('controllers/front/power', { on: false });
    expect(await demo.post('controllers/front/power', { on: true })).toMatchObject({ status: 200 });
    expect(await demo.controller('front')).toMatchObject({ is_disk_full: true, power: 'on' });
    await demo.post('controllers/front/tap', { person: 'frank', with: 'card' });
    await demo.waitUntilDoor('front-door', ({ is_unlocked }) => is_unlocked);
    await demo.waitUntilController('front', ({ faults }) => faults.some(({ code }) => code === 'event_store'));
    await demo.post('controllers/front/disk', { full: false });
    await demo.waitUntilController('front', ({ faults, is_online }) => faults.length === 0 && is_online);
  });

  it('raises the forced alarm and shows a door that is held open', { tags: ['slow'] }, async () => {
    expect(await demo.post('doors/garage/hand', { does: 'push' })).toEqual({
      status: 409,
      message: 'The door is locked',
    });
    await demo.post('doors/garage/hand', { does: 'force' });
    await demo.waitUntilDoor('garage', ({ alarm }) => alarm === 'forced');
    await demo.post('doors/garage/hand', { does: 'close' });
    await demo.waitUntilDoor('garage', ({ alarm, leaf }) => alarm === null && leaf === 'closed');
    await demo.post('doors/garage/hand', { does: 'hold' });
    await demo.post('doors/garage/hand', { does: 'exit' });
    await demo.waitUntilDoor('garage', ({ leaf, is_held }) => leaf === 'open' && is_held);
    await demo.post('doors/garage/hand', { does: 'close' });
    await demo.waitUntilDoor('garage', ({ leaf }) => leaf === 'closed');
  });

  it('rejects a clock step of years and shows the fault', { tags: ['slow'] }, async () => {
    await demo.post('controllers/corridor/clock', { stepped_ms: 20 * 365 * 86_400_000 });
    await demo.waitUntilController('corridor', ({ faults }) => faults.some(({ code }) => code === 'clock_refused'));
    const { clock } = await demo.controller('corridor');
    expect(Math.abs(Date.parse(clock!.time) - Date.now())).toBeLessThan(60_000);
    await demo.post('controllers/corridor/clock', { stepped_ms: 0 });
    await demo.waitUntilController('corridor', ({ faults }) => faults.length === 0);
  });

  it('reports mains and battery to the bridge and powers off without both', { tags: ['slow'] }, async () => {
    await demo.post('controllers/corridor/supply', { mains: false });
    expect((await demo.controller('corridor')).supply).toEqual({ mains: false, battery: true, charging: false });
    const { http, organization_id } = demo.addresses;
    const minting = ['--organization', organization_id, '--scope', 'full_read_only'];
    const { stdout } = await runLintel('token', '--data', join(folder, 'bridge'), ...minting);
    const { device_id } = await demo.controller('corridor');
    const headers = { authorization: `Bearer ${stdout.trim()}` };
    await vi.waitUntil(
      async () => {
        const device = (await (await fetch(`${http}/v2/devices/${device_id}`, { headers })).json()) as DeviceResponse;
        return !device.status.mains_present && device.status.battery_present;
      },
      { timeout: 60_000 },
    );
    await demo.post('controllers/corridor/supply', { battery: false });
    await demo.waitUntilController('corridor', ({ power }) => power === 'off');
    expect((await demo.post('controllers/corridor/power', { on: true })).message).toContain(
      'No power: mains and battery are off',
    );
    await demo.post('controllers/corridor/supply', { mains: true, battery: true });
    await demo.waitUntilController('corridor', ({ power, is_online }) => power === 'on' && is_online);
  });

  it('plays a scenario and streams each step', { tags: ['slow'] }, async () => {
    const live = await demo.live();
    const [scenario] = (await demo.world()).scenarios;
    const path = `scenarios/${scenario!.name}/play`;
    expect(await demo.post(path, {})).toMatchObject({ status: 200 });
    expect(await demo.post(path, {})).toEqual({ status: 409, message: 'Another scenario is running' });
    const runs = () => live.messages.flatMap(one => (one.type === 'run' ? [one.run] : []));
    await vi.waitUntil(() => runs().some(({ outcome }) => outcome !== 'running'), { timeout: 60_000 });
    live.stop();
    const last = runs().at(-1)!;
    expect(last).toMatchObject({ name: scenario!.name, outcome: 'passed', problem: null });
    expect(last.steps.every(({ outcome }) => outcome === 'passed')).toBe(true);
    expect(runs().some(({ steps }) => steps.some(({ outcome }) => outcome === 'running'))).toBe(true);
    expect((await demo.world()).runs.map(({ id }) => id)).toEqual([last.id]);
  });

  describe('HTTP server', () => {
    const call = (path: string, init: RequestInit = {}) => fetch(`${demo.addresses.page}${path}`, init);
    const json = { 'content-type': 'application/json' };

    it.each([
      ['a request of another origin', { headers: { ...json, origin: 'http://evil.example' }, body: '{}' }, 403],
      ['a form post of another page', { headers: { 'content-type': 'text/plain' }, body: '{"on":false}' }, 415],
      ['a body that is not JSON', { headers: json, body: '{' }, 400],
      ['an unknown field', { headers: json, body: '{"on":false,"x":1}' }, 400],
      ['a body that is too large', { headers: json, body: JSON.stringify({ on: 'x'.repeat(100_000) }) }, 413],
    ])('rejects %s', async (_, init, status) => {
      const answer = await call('/api/controllers/front/power', { method: 'POST', ...init });
      expect(answer.status).toBe(status);
      expect(await answer.json()).toMatchObject({ type: expect.any(String), message: expect.any(String) });
    });

    it.each([
      ['lines', { switch: 'internet', mode: 'dead' }, 'mode must be one of up, slow, half_open, cut'],
      ['lines', { line: 'front-bridge', mode: 'dead' }, 'mode must be one of up, slow, half_open, cut'],
      ['lines', { switch: 'radio', mode: 'up' }, 'switch must be one of internet, gateway_link'],
      ['controllers/front/tap', { person: 'ann', with: 'nose' }, 'with must be one of card, phone, qr_code'],
      ['controllers/front/tap', { card: 7 }, 'card must be a string'],
    ])('names the invalid field and the allowed values for %s: %j', async (path, body, message) => {
      const answer = await call(`/api/${path}`, { method: 'POST', headers: json, body: JSON.stringify(body) });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toEqual({ type: 'invalid_request', message, args: { field: message.split(' ')[0] } });
    });

    it('answers 404 for unknown paths, controllers, doors, links, scenarios and people', async () => {
      const statuses = await Promise.all([
        call('/api/nothing'),
        call('/api/controllers/attic/keys', { method: 'POST', headers: json, body: '{"keys":"1"}' }),
        call('/api/doors/attic/hand', { method: 'POST', headers: json, body: '{"does":"push"}' }),
        call('/api/lines', { method: 'POST', headers: json, body: '{"line":"attic","mode":"up"}' }),
        call('/api/scenarios/attic/play', { method: 'POST', headers: json, body: '{}' }),
        call('/api/controllers/front/tap', {
          method: 'POST',
          headers: json,
          body: '{"person":"nobody","with":"card"}',
        }),
      ]);
      expect(statuses.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404]);
    });
  });

  it('rejects the data directory of a gateway and leaves it unchanged', async () => {
    const gateway = join(folder, 'gateway');
    const before = readdirSync(gateway).sort();
    await expect(DemoProcess.start(gateway, '--fresh')).rejects.toThrow(
      `${gateway} is the data folder of a gateway: a demonstration needs one of its own`,
    );
    expect(readdirSync(gateway).sort()).toEqual(before);
    expect(readFileSync(join(folder, 'folder-kind'), 'utf8')).toBe('demonstration\n');
  });

  it('rejects a second start with the same data directory', async () => {
    await expect(DemoProcess.start(folder)).rejects.toThrow(`already running: ${demo.addresses.page}`);
  });

  /** The status after signing in at the bridge with this password. */
  const signIn = async (password: string): Promise<number> => {
    const { http, logins } = demo.addresses;
    const page = await fetch(`${http}/login`);
    const form_token = /name="form_token" value="([^"]+)"/.exec(await page.text())?.[1] ?? '';
    const { status } = await fetch(`${http}/login`, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        cookie: page.headers
          .getSetCookie()
          .map(cookie => cookie.split(';')[0])
          .join('; '),
      },
      body: new URLSearchParams({ form_token, email: logins.admin.email, password }),
    });
    return status;
  };

  it('signs a browser in to the console once, with the printed link or from its own page', async () => {
    const open = async (url: string, headers: Record<string, string> = {}, method = 'GET') => {
      const response = await fetch(url, { redirect: 'manual', headers, method });
      expect([response.status, response.headers.get('location')]).toEqual([302, `${demo.addresses.http}/`]);
      return response.headers
        .getSetCookie()
        .map(cookie => cookie.split(';')[0])
        .join('; ');
    };
    const { console: link, page } = demo.addresses;
    expect(new URL(link).hostname).toBe('127.0.0.1');
    expect(await open(`${page}/console/wrong`)).toBe('');
    expect(await open(link, {}, 'HEAD')).toBe('');
    const cookie = await open(link);
    const session = await fetch(`${demo.addresses.http}/admin/v1/session`, { headers: { cookie } });
    expect(await session.json()).toMatchObject({ user: { email: demo.addresses.logins.admin.email } });
    expect(await open(link)).toBe('');
    expect(await open(`${page}/console`)).toBe('');
    expect(await open(`${page}/console`, { 'sec-fetch-site': 'same-origin' })).toContain('lintel_session=');
    const foreign = await fetch(`${page}/console`, { redirect: 'manual', headers: { 'sec-fetch-site': 'cross-site' } });
    expect(foreign.status).toBe(403);
    const logs = readdirSync(join(folder, 'logs')).map(name => readFileSync(join(folder, 'logs', name), 'utf8'));
    expect(logs.join('')).not.toContain(link.split('/').at(-1));
  });

  it('opens the technician page of a controller signed in, with one request', async () => {
    const response = await fetch(`${demo.addresses.page}/technician/front`, { redirect: 'manual' });
    const location = response.headers.get('location')!;
    expect([response.status, location]).toEqual([302, expect.stringContaining(`${demo.addresses.http}/technician/`)]);
    const cookie = response.headers
      .getSetCookie()
      .map(one => one.split(';')[0])
      .join('; ');
    const page = await fetch(location, { headers: { cookie }, redirect: 'manual' });
    expect(page.status).toBe(200);
    const path = `organizations/${demo.addresses.organization_id}/technician_devices`;
    const devices = await fetch(`${demo.addresses.http}/admin/v1/${path}`, { headers: { cookie } });
    const { data } = (await devices.json()) as { data: { name: string; local_address: string | null }[] };
    // The gateway has no technician page.
    expect(data.map(({ name }) => name).toSorted()).toEqual(['First floor', 'Front door']);
    expect(data.map(one => new URL(one.local_address!).hostname)).toEqual(['127.0.0.1', '127.0.0.1']);
    const foreign = await fetch(`${demo.addresses.page}/technician/front`, {
      redirect: 'manual',
      headers: { 'sec-fetch-site': 'cross-site' },
    });
    expect(foreign.status).toBe(403);
    expect((await fetch(`${demo.addresses.page}/technician/cellar`, { redirect: 'manual' })).status).toBe(404);
  });

  it('has a link to the guest page, and no address that is not found', async () => {
    const { guest_link, addresses } = await demo.world();
    expect(guest_link).toEqual({ person: 'ann', url: demo.addresses.guest });
    for (const url of [guest_link!.url, ...addresses.map(one => one.url)])
      expect((await fetch(new URL(url, demo.addresses.page))).status).toBe(200);
  });

  it('generates the password of this installation', async () => {
    const { password } = demo.addresses.logins.admin;
    expect(password).toMatch(/^(?:[a-z]{6}-){3}[0-9]{2}$/);
    expect(await signIn(password)).toBeLessThan(400);
    expect(await signIn('open-sesame')).toBeGreaterThanOrEqual(400);
  });

  it('makes its files readable for their owner only', () => {
    expect(statSync(join(folder, 'simulator.json')).mode & 0o077).toBe(0);
    expect(statSync(folder).mode & 0o077).toBe(0);
  });

  describe('when it is started again', { tags: ['slow'] }, () => {
    it('keeps its organization, devices and events and replaces a port that is in use', async () => {
      const { organization_id, logins } = demo.addresses;
      const before = await demo.world();
      expect(await demo.stop('SIGINT')).toBe(0);
      expect(processesOf(folder)).toEqual([]);

      const taken = createServer().listen(0, '127.0.0.1');
      await once(taken, 'listening');
      const { port } = taken.address() as { port: number };
      demo = await DemoProcess.start(folder, '--http-port', String(port));
      taken.close();
      expect(demo.addresses.organization_id).toBe(organization_id);
      expect(demo.addresses.logins).toEqual(logins);
      expect(await signIn(logins.admin.password)).toBeLessThan(400);
      expect(new URL(demo.addresses.http).port).not.toBe(String(port));
      const after = await demo.world();
      expect(after.controllers.map(({ device_id }) => device_id)).toEqual(
        before.controllers.map(({ device_id }) => device_id),
      );
      const known = new Set(before.activity.map(({ id }) => id));
      expect(after.activity.filter(({ id }) => known.has(id)).length).toBeGreaterThan(5);
      await demo.post('controllers/front/tap', { person: 'frank', with: 'phone' });
      const [event] = await demo.activity('front-door', one => isDeliveredUse(one) && !known.has(one.id));
      expect(event).toMatchObject({ who: 'Frank Moll', deliveries: 1 });
    });

    it('starts over with --fresh after a SIGKILL that no child process survives', async () => {
      const { organization_id, logins } = demo.addresses;
      expect(processesOf(folder).length).toBe(5);
      await demo.stop('SIGKILL');
      await vi.waitUntil(() => processesOf(folder).length === 0, { timeout: 60_000 });
      demo = await DemoProcess.start(folder, '--fresh');
      expect(demo.addresses.organization_id).not.toBe(organization_id);
      expect(demo.addresses.logins.admin.password).not.toBe(logins.admin.password);
      expect(existsSync(join(folder, 'bridge'))).toBe(true);
      await expect
        .poll(async () => (await demo.world()).controllers.map(({ is_online }) => is_online))
        .toEqual([true, true]);
    });
  });
});
