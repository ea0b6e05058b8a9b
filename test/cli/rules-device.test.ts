import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSimulatedController } from '@lintel/simulator/virtual-hardware/simulated-controller';
import {
  createDeviceEntry,
  createGadgetEntry,
  createSiteEntry,
  createSnapshotChunk,
  startTechnicianServer,
  type TechnicianServer,
} from '@lintel/device-runtime/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runLintel } from '../support/processes/lintel-command.ts';

describe('lintel rules --device', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lintel-rules-device-'));
  let device: ReturnType<typeof createSimulatedController>;
  let technician: TechnicianServer;
  let on: readonly string[];

  beforeAll(async () => {
    const log = () => undefined;
    device = createSimulatedController({ dataDir: folder, log });
    const entries = [createDeviceEntry(), createSiteEntry(), createGadgetEntry({ id: 'gad_door' })];
    await device.controller.receiveSnapshot(createSnapshotChunk(entries, 1, device.controller.digestKeyId));
    const parts = { dataDir: folder, device, productId: 'laptop-simulator', log };
    technician = await startTechnicianServer({ ...parts, host: '127.0.0.1', port: 0, console: log });
    on = ['--device', technician.url, '--fingerprint', technician.fingerprint];
    vi.stubEnv('LINTEL_CODE', readFileSync(join(folder, 'technician/setup-code'), 'utf8').trim());
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await technician.stop();
    await device.stop();
    rmSync(folder, { recursive: true });
  });

  const file = (content: unknown): string => {
    const path = join(folder, 'rules.json');
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  };
  const rule = (code: string, action_id = 'open', gadget_id = 'gad_door') => ({ code, gadget_id, action_id });
  const inForce = () => device.controller.localRules.current;

  it('writes the rules of a file and reads them back as the same file', async () => {
    const input_rules = [rule(''), rule('*1', 'unlock')];
    const { code, stdout, stderr } = await runLintel('rules', 'set', file(input_rules), ...on);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('Typing * 1 and then a PIN or card: unlock');
    expect(inForce()).toEqual(input_rules);
    const read = await runLintel('rules', 'get', ...on);
    expect(JSON.parse(read.stdout)).toEqual({ input_rules });
    const whole = await runLintel('rules', 'get', ...on, '--json');
    expect(JSON.parse(whole.stdout)).toMatchObject({ device_id: 'dev_own', pending: true, base: expect.any(String) });
    expect((await runLintel('rules', 'set', file([rule('#7')]), ...on, '--json')).code).toBe(0);
    const late = await runLintel('rules', 'set', file(whole.stdout), ...on);
    expect([late.code, late.stderr]).toEqual([1, expect.stringContaining('Reload them')]);
  });

  it('prints the fingerprint when none is given, and sends the code to no other certificate', async () => {
    const unpinned = await runLintel('rules', 'get', '--device', technician.url);
    expect([unpinned.code, unpinned.stderr]).toEqual([0, expect.stringContaining(technician.fingerprint)]);
    const another = technician.fingerprint.replace(/^../, pair => (pair === '00' ? '01' : '00'));
    const refused = await runLintel('rules', 'get', '--device', technician.url, '--fingerprint', another);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('unexpected certificate')]);
  });

  it('checks a file against the gadgets of the controller and changes nothing', async () => {
    const before = inForce();
    const good = await runLintel('rules', 'check', file([rule('*5')]), ...on);
    expect([good.code, good.stdout]).toEqual([0, expect.stringContaining('Typing * 5')]);
    const bad = await runLintel(
      'rules',
      'check',
      file([rule('*5', 'fly'), rule('*6', 'open', 'gad_none')]),
      ...on,
      '--json',
    );
    expect([bad.code, JSON.parse(bad.stdout)]).toMatchObject([
      1,
      { ok: false, problems: [{ path: 'input_rules.0.action_id' }, { path: 'input_rules.1.gadget_id' }] },
    ]);
    expect(inForce()).toEqual(before);
  });

  it('reports an invalid rule, an unreachable controller, invalid options and a wrong code', async () => {
    const wrong = async (...args: string[]) => {
      const { code, stderr } = await runLintel('rules', ...args);
      return [code, stderr.split('\n')[0]];
    };
    expect(await wrong('set', file([rule('', 'fly')]), ...on)).toEqual([1, expect.stringContaining('it has open')]);
    expect(await wrong('get', '--device', 'https://127.0.0.1:9')).toEqual([
      1,
      expect.stringContaining('does not respond'),
    ]);
    expect(await wrong('get', '--device', 'http://127.0.0.1:9')).toEqual([2, expect.stringContaining('--device')]);
    expect(await wrong('get', ...on.slice(0, 2), '--fingerprint', 'x')).toEqual([
      2,
      expect.stringContaining('--fingerprint'),
    ]);
    expect(await wrong('get', ...on, '--bridge', 'https://x.example')).toEqual([
      2,
      expect.stringContaining('either --device or --bridge'),
    ]);
    vi.stubEnv('LINTEL_CODE', '0000-0000-0000');
    expect(await wrong('get', ...on)).toEqual([1, expect.stringContaining('Wrong setup code')]);
    vi.stubEnv('LINTEL_CODE', 'a.b');
    expect(await wrong('get', ...on)).toEqual([2, expect.stringContaining('--pass-key is required')]);
    vi.stubEnv('LINTEL_CODE', '');
    expect(await wrong('get', ...on)).toEqual([2, expect.stringContaining('LINTEL_CODE')]);
  });
});
