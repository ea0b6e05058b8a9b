import { chmodSync, cpSync, lstatSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBridge } from '@lintel/cloud-bridge/main';
import { type ControllerStateKey, saveMemberIndexOf, startTechnicianServer } from '@lintel/device-runtime/testing';
import { createSimulatedController } from '@lintel/simulator/virtual-hardware/simulated-controller';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { TestBridge } from '../support/bridge/test-bridge.ts';
import { claimGateway, startGateway } from '../support/devices/claim-and-start-gateway.ts';
import { FirmwareSite } from '../support/devices/firmware-site.ts';
import { damageFile, fileDamages } from '../support/faults/file-damage.ts';
import { runLintel } from '../support/processes/lintel-command.ts';

const home = mkdtempSync(join(tmpdir(), 'lintel-damaged-'));
let bridge: TestBridge;
let site: FirmwareSite;

beforeAll(async () => {
  bridge = await TestBridge.open({ isTicking: true });
  site = await FirmwareSite.open(bridge);
});
afterAll(async () => {
  await bridge.close();
  rmSync(home, { recursive: true, force: true });
});

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .map(entry => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter(name => lstatSync(join(folder, name)).isFile() && !/\.lock$|-wal$|-shm$/.test(name))
    .toSorted();

const copyOf = (template: string): string => {
  const copy = mkdtempSync(join(home, 'copy-'));
  cpSync(template, copy, { recursive: true });
  onTestFinished(() => rmSync(copy, { recursive: true }));
  return copy;
};

const damages = Object.keys(fileDamages);
const ONE_SENTENCE_WITH_ADVICE = /^[^\n]+(?:restore|delete|chown|claim)[^\n]+$/i;

const CARD = '04a1b2c3d4e5f6';
/** Complete by its type: a new key needs a line here. */
const stateKeys: Readonly<Record<ControllerStateKey | 'uplink_counter', null>> = {
  lockouts: null,
  replaced: null,
  door_modes: null,
  time_floor: null,
  clock: null,
  event_times: null,
  bridge_time: null,
  sequence_ceiling: null,
  resend_events: null,
  schedule_watch: null,
  revocations: null,
  revocations_copy: null,
  door_structure: null,
  bound_to: null,
  gadget_places: null,
  local_rules: null,
  down_window: null,
  revoke_window: null,
  bridge_contact: null,
  provisional_rules: null,
  commissioning: null,
  rules_history: null,
  site_directory: null,
  technician_try_lockout: null,
  technician_tests: null,
  technician_lockout: null,
  uplink_counter: null,
};

/** The fault that reports the damage, and whether cards still open the door. The exit button always does. */
const controllerFiles: Readonly<Record<string, { readonly fault: string | null; readonly cardOpens: boolean }>> = {
  'digest.key': { fault: 'digest_key', cardOpens: false },
  'events.db': { fault: null, cardOpens: true },
  'member-index': { fault: null, cardOpens: true },
  'last-event-number': { fault: null, cardOpens: true },
  'revocations.db': { fault: null, cardOpens: true },
  'state/sequence_ceiling.slots': { fault: null, cardOpens: true },
  'identity/key.pem': { fault: 'identity', cardOpens: true },
  'identity/membership.json': { fault: 'identity', cardOpens: true },
  'identity/hardware-id': { fault: null, cardOpens: true },
  'technician/key.pem': { fault: null, cardOpens: true },
  'technician/certificate.pem': { fault: null, cardOpens: true },
  'technician/setup-code': { fault: null, cardOpens: true },
};

const slow = { tags: ['slow'] };

describe('a controller', slow, () => {
  let template: string;

  const start = async (dataDir: string, { hasPage = true } = {}) => {
    const network = { product_id: 'virtual', firmware: 'test', url: 'mqtt://127.0.0.1:1' };
    const device = createSimulatedController({ dataDir, log: () => undefined, network });
    const page = { dataDir, device, productId: 'virtual', host: '127.0.0.1', port: 0, log: () => undefined };
    onTestFinished(() => device.stop());
    const started = startTechnicianServer(page);
    if (!hasPage) await expect(started).rejects.toThrow('cannot be read');
    else {
      const server = await started;
      onTestFinished(() => server.stop());
    }
    return device;
  };

  beforeAll(async () => {
    const door = await site.claimController();
    await site.createMember(await site.createGroup(door.gadgetId), { uid: CARD });
    door.start();
    await door.waitUntilSynced();
    const { running: device, dataDir } = door;
    const page = { dataDir, device, productId: 'virtual', host: '127.0.0.1', port: 0, log: () => undefined };
    await (await startTechnicianServer(page)).stop();
    await door.stop();
    await saveMemberIndexOf(dataDir);
    template = dataDir;
    for (const key of Object.keys(stateKeys)) {
      const file = join(template, 'state', `${key}.json`);
      if (!filesIn(template).includes(`state/${key}.json`)) writeFileSync(file, '{}', { mode: 0o600 });
    }
  });

  it('has no file without an expectation here', () => {
    const known = [
      'slice.db',
      ...Object.keys(controllerFiles),
      ...Object.keys(stateKeys).map(key => `state/${key}.json`),
    ];
    expect(filesIn(template).filter(file => !known.includes(file) && file !== 'folder-kind')).toEqual([]);
  });

  describe.each(damages)('with a file that is %s', damage => {
    it.each(Object.entries(controllerFiles))('serves its door: %s', async (file, { fault, cardOpens }) => {
      const dataDir = copyOf(template);
      damageFile(join(dataDir, file), damage);
      // A file that cannot be read is kept, and with it the fingerprint and the code on the label.
      const device = await start(dataDir, { hasPage: !(damage === 'unreadable' && file.startsWith('technician/')) });
      const faults = device.controller.faults();
      if (fault !== null) expect(faults.map(({ code }) => code)).toContain(fault);
      for (const { message } of faults) expect(message).not.toMatch(/\n/);
      device.reader.tap(CARD);
      expect(device.outputs.isOn('strike-0')).toBe(cardOpens);
      device.inputs.press('exit-0');
      expect(device.outputs.isOn('strike-0')).toBe(true);
    });

    it('starts without access data: slice.db', async () => {
      const dataDir = copyOf(template);
      damageFile(join(dataDir, 'slice.db'), damage);
      const device = await start(dataDir);
      device.reader.tap(CARD);
      expect(device.outputs.isOn('strike-0')).toBe(false);
      for (const { message } of device.controller.faults()) expect(message).not.toMatch(/\n/);
    });

    it(`${damage === 'unreadable' ? 'keeps' : 'sets aside'} all state, reports it, and serves its door`, async () => {
      const dataDir = copyOf(template);
      const rebuildable = Object.keys(stateKeys).filter(key => !key.startsWith('revocations'));
      for (const key of rebuildable) damageFile(join(dataDir, 'state', `${key}.json`), damage);
      const device = await start(dataDir);
      device.reader.tap(CARD);
      expect(device.outputs.isOn('strike-0')).toBe(true);
      const fault = damage === 'unreadable' ? 'state_unreadable:' : 'state_damaged:';
      const reported = device.controller.faults().filter(({ code }) => code.startsWith(fault));
      const kept = readdirSync(join(dataDir, 'state')).filter(name => name.includes('.damaged-'));
      expect(reported.length).toBeGreaterThan(10);
      if (damage === 'unreadable') {
        expect(kept).toEqual([]);
        for (const { message } of reported) expect(message).toMatch(/cannot be read/);
        return;
      }
      for (const { code, message } of reported) {
        const name = `${code.slice('state_damaged:'.length)}.json.damaged-`;
        expect(kept.some(one => one.startsWith(name))).toBe(true);
        expect(message).toMatch(/was not usable .* and was renamed to/);
      }
    });
  });
});

describe('a gateway', slow, () => {
  const files: Readonly<Record<string, string | null>> = {
    'digest.key': 'digest_key',
    'identity/key.pem': 'identity',
    'identity/membership.json': 'membership',
    'gateway/store.db': 'store_damaged',
    'gateway/site.json': 'site_damaged',
    'gateway/time-floor.json': 'clock_damaged',
    'gateway/status-address.json': null,
  };
  let template: string;

  beforeAll(async () => {
    template = await claimGateway(bridge, site.client, site.siteId);
    await (await startGateway(bridge, template, site.url)).stop();
    for (const name of ['gateway/site.json', 'gateway/time-floor.json'])
      if (!filesIn(template).includes(name)) writeFileSync(join(template, name), '{}', { mode: 0o600 });
  });

  it('has no file without an expectation here', () => {
    expect(filesIn(template).filter(file => !(file in files) && !/hardware-id|folder-kind|uplink/.test(file))).toEqual(
      [],
    );
  });

  describe.each(damages)('with a file that is %s', damage => {
    it.each(Object.entries(files))('runs and reports it: %s', async (file, fault) => {
      const dataDir = copyOf(template);
      damageFile(join(dataDir, file), damage);
      const gateway = await startGateway(bridge, dataDir, 'mqtt://127.0.0.1:1');
      onTestFinished(() => gateway.stop());
      const codes = gateway.status().faults.map(({ code }) => code);
      const kept: Readonly<Record<string, string>> = {
        site_damaged: 'state_unreadable:site',
        clock_damaged: 'state_unreadable:time-floor',
      };
      const expected = damage === 'unreadable' ? (kept[fault ?? ''] ?? fault) : fault;
      if (fault !== null && !(damage === 'empty' && file === 'gateway/store.db')) expect(codes).toContain(expected);
    });
  });
});

describe('a bridge', slow, () => {
  const files = ['bridge.sqlite', 'master-keys.json', 'ca.pem', 'ca-key.pem'];
  let template: string;
  const seed = join(home, 'seed.json');

  beforeAll(async () => {
    template = mkdtempSync(join(home, 'bridge-'));
    writeFileSync(seed, JSON.stringify({ organization: { key: 'org', name: 'Hotel' } }));
    await runLintel('seed', seed, '--data', template, '--json');
    const opened = await createBridge({ dataDir: template, logger: false });
    await opened.services.authority();
    await opened.close();
  });

  it('has no file without an expectation here', () => {
    // Of these two only the existence matters.
    const markers = ['folder-kind', 'database-created'];
    expect(filesIn(template).filter(file => ![...files, ...markers].includes(file))).toEqual([]);
  });

  describe.each(damages)('with a file that is %s', damage => {
    it.each(files)('refuses to start with one sentence: %s', async file => {
      const dataDir = copyOf(template);
      damageFile(join(dataDir, file), damage);
      const started = await createBridge({ dataDir, logger: false }).then(
        running => running.close().then(() => 'started'),
        (error: Error) => error.message,
      );
      expect(started).toMatch(ONE_SENTENCE_WITH_ADVICE);
      expect(started).toContain(dataDir);
    });

    it.each([
      ['bridge.sqlite', ['seed', seed]],
      ['bridge.sqlite', ['token', '--organization', 'org_1', '--scope', 'full_read_only']],
      ['master-keys.json', ['seed', seed]],
      ['master-keys.json', ['token', '--organization', 'org_1', '--scope', 'full_read_only']],
    ])('prints one sentence: %s, lintel %s', async (file, args) => {
      const dataDir = copyOf(template);
      damageFile(join(dataDir, file), damage);
      const { code, stdout, stderr } = await runLintel(...args, '--data', dataDir);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr.trim()).toMatch(ONE_SENTENCE_WITH_ADVICE);
      // An unreadable database of SQLite looks empty; then the message names the keys that were used with it.
      expect(stderr).toContain(damage === 'unreadable' ? dataDir : join(dataDir, file));
    });

    it('prints one sentence: the certificate of --tls-cert', async () => {
      const dataDir = copyOf(template);
      const [cert, key] = [join(dataDir, 'server.pem'), join(dataDir, 'server-key.pem')];
      for (const file of [cert, key]) writeFileSync(file, 'x', { mode: 0o600 });
      chmodSync(dataDir, 0o700);
      damageFile(cert, damage);
      const ports = ['--http-port', '0', '--mqtt-port', '0', '--mqtts-port', '0', '--host', '127.0.0.1'];
      const tls = ['--tls-cert', cert, '--tls-key', key];
      const { code, stderr } = await runLintel('bridge', '--data', dataDir, ...ports, ...tls);
      expect(code).toBe(1);
      expect(stderr.trim().split('\n').at(-1)).toContain(cert);
      expect(stderr).not.toMatch(/\n\s+at /);
    });
  });
});

describe.each(damages)('a command with a file that is %s', damage => {
  const write = (name: string): string => {
    const file = join(copyOf(mkdtempSync(join(home, 'empty-'))), name);
    writeFileSync(file, '{}');
    damageFile(file, damage);
    return file;
  };

  it.each([
    ['profile.json', (file: string) => ['device', '--profile', file, '--data', `${file}-data`]],
    ['profile.json', (file: string) => ['profile', 'check', file]],
    ['rules.json', (file: string) => ['rules', 'check', file]],
    ['seed.json', (file: string) => ['seed', file, '--data', `${file}-data`]],
    ['scenario.json', (file: string) => ['simulate', 'scenario', file]],
    ['bundle.json', (file: string) => ['simulate', 'replay', file]],
  ])('names the file without a stack trace: %s', async (name, args) => {
    const file = write(name);
    const { code, stderr } = await runLintel(...args(file));
    expect(code).toBeGreaterThan(0);
    expect(stderr).toContain(file);
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});
