import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { TestBridge, type TestOrganizationClient } from '../support/bridge/test-bridge.ts';
import { runLintel } from '../support/processes/lintel-command.ts';
import { createTestDoor } from '../support/bridge/site-fixtures.ts';

describe('lintel rules --bridge', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lintel-rules-'));
  let world: TestBridge;
  let client: TestOrganizationClient;
  let place: Awaited<ReturnType<typeof createTestDoor>>;
  let on: readonly string[];

  beforeAll(async () => {
    world = await TestBridge.open();
    client = await world.newOrganization();
    place = await createTestDoor(world, client);
    on = ['--bridge', await world.bridge.listen('127.0.0.1', 0), '--id', place.deviceId];
    vi.stubEnv('LINTEL_TOKEN', client.token);
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await world.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const file = (content: unknown): string => {
    const path = join(folder, 'rules.json');
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  };
  const rule = (code: string, action_id = 'open') => ({ code, gadget_id: place.gadgetId, action_id });
  const rules = async () => (await client.callOk('GET', `/devices/${place.deviceId}`))['input_rules'];

  it('writes the rules of a file to the device and reads them back as the same file', async () => {
    const input_rules = [rule(''), rule('*1', 'hold')];
    const { code, stdout, stderr } = await runLintel('rules', 'set', file(input_rules), ...on);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('Typing * 1 and then a PIN or card: hold');
    expect(await rules()).toEqual(input_rules);
    const read = await runLintel('rules', 'get', ...on);
    expect(JSON.parse(read.stdout)).toEqual({ input_rules });
    expect((await runLintel('rules', 'set', file(read.stdout), ...on)).code).toBe(0);
  });

  it('rejects a file that was read before the last change of the rules', async () => {
    const { stdout } = await runLintel('rules', 'get', ...on, '--json');
    expect(JSON.parse(stdout)).toMatchObject({ device_id: place.deviceId, base: expect.any(String) });
    expect((await runLintel('rules', 'set', file([rule('#7')]), ...on, '--json')).code).toBe(0);
    const late = await runLintel('rules', 'set', file(stdout), ...on);
    expect([late.code, late.stderr]).toEqual([1, expect.stringContaining('Read them again')]);
    expect(await rules()).toEqual([rule('#7')]);
  });

  it('reports codes in conflict, an unknown action, an unknown device and an unreachable bridge', async () => {
    const before = await rules();
    const refused = async (content: unknown, where = on) => {
      const { code, stderr } = await runLintel('rules', 'set', file(content), ...where);
      return [code, stderr];
    };
    expect(await refused([rule('1'), rule('12')])).toEqual([1, expect.stringContaining('must not be "12"')]);
    expect(await refused([rule('', 'explode')])).toEqual([1, expect.stringContaining('it has open, hold')]);
    const [, address = ''] = on;
    expect(await refused([], ['--bridge', address, '--id', 'dev_none'])).toEqual([
      1,
      expect.stringContaining('dev_none'),
    ]);
    expect(await refused([], ['--bridge', 'http://127.0.0.1:9', '--id', 'dev_none'])).toEqual([
      1,
      expect.stringContaining('does not respond'),
    ]);
    expect(await rules()).toEqual(before);
  });

  it('names a missing option and exits with 2', async () => {
    const wrong = async (...args: string[]) => {
      const { code, stderr } = await runLintel('rules', ...args);
      return [code, stderr.split('\n')[0]];
    };
    expect(await wrong('get')).toEqual([2, expect.stringContaining('--bridge')]);
    expect(await wrong('get', '--bridge', 'http://127.0.0.1:9')).toEqual([2, '--id is required']);
    expect(await wrong('get', '--devise', 'x')).toEqual([2, expect.stringContaining('--devise')]);
    vi.stubEnv('LINTEL_TOKEN', '');
    expect(await wrong('get', ...on)).toEqual([2, expect.stringContaining('LINTEL_TOKEN')]);
    vi.stubEnv('LINTEL_TOKEN', 'lat_wrong');
    expect(await wrong('get', ...on)).toEqual([1, expect.stringContaining('access token')]);
  });
});
