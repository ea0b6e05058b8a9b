import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OsdpControllerParts } from '../support/hardware/osdp-controller-parts.ts';
import { requiredPython } from '../support/processes/pty.ts';
import { requireProgram } from '../support/require-program.ts';
import { TechnicianApiFixture } from '../support/technician/technician-api-fixture.ts';

const oldKey = Buffer.alloc(16, 7);
const PATH = '/osdp_readers/door_1_reader/replace';

let door: TechnicianApiFixture;
let parts: OsdpControllerParts;

beforeEach(async context => {
  requireProgram(context, requiredPython);
  door = new TechnicianApiFixture();
  parts = await OsdpControllerParts.open(door.folder, [{ address: 1 }, { address: 2 }]);
  await door.open({ profile: parts.profile, replaceableReaders: () => parts.hardware.replaceableReaders() });
});
afterEach(async () => {
  await parts.close();
  await door.remove();
});

const readers = async () => {
  const { body } = await door.client.call('GET', '/osdp_readers');
  return body['data'] as unknown as readonly Record<string, unknown>[];
};

/** The controller knows that both readers have their keys. */
const paired = async (): Promise<void> => {
  await expect.poll(() => [1, 2].map(isConfirmed)).toEqual([true, true]);
};

const replacement = async () => (await readers())[0]!['replacement'];

const keyFile = (address = 1): Buffer => readFileSync(join(door.folder, `osdp-rs485-${address}.key`));
const isConfirmed = (address: number): boolean =>
  existsSync(join(door.folder, `osdp-rs485-${address}.key`)) && keyFile(address)[16] === 1;

const test = async () => {
  const { body } = await door.client.call('GET', '/tests');
  const tests = body['data'] as unknown as readonly { id: string }[];
  return tests.find(({ id }) => id === 'replace_reader:door_1_reader');
};

describe('technician API: OSDP readers', () => {
  it('replaces a reader within five minutes, records it, and refuses the default key before and afterwards', async () => {
    expect(await door.client.call('POST', PATH, { body: { key: null } })).toMatchObject({ status: 401 });
    await door.client.login({ code: door.setupCode });
    await paired();
    expect(await readers()).toMatchObject([
      { reader: 'door_1_reader', stations: ['door_1'], address: 1, replacement: null },
      { reader: 'door_2_reader', stations: ['door_2'], address: 2, replacement: null },
    ]);
    const before = keyFile();

    // Another reader, as it comes from its maker.
    const reader = parts.reader(1);
    reader.key = null;
    reader.restart();
    await expect.poll(async () => (await readers())[0]!['fault']).toMatch(/"Replace reader" on the technician page/);
    expect(reader.key).toBeNull();

    const started = await door.client.call('POST', PATH, { body: { key: null } });
    expect(started).toMatchObject({ status: 200, body: { state: 'waiting' } });
    await expect.poll(replacement).toMatchObject({ state: 'done', identity: { serial: 0x12345678 } });
    expect(keyFile().subarray(0, 16)).toEqual(reader.key);
    expect(keyFile().equals(before)).toBe(false);
    expect(await test()).toMatchObject({
      result: 'passed',
      seen: { ok: true, what: expect.stringContaining('serial number 305419896') as string },
    });

    reader.key = null;
    reader.restart();
    await expect.poll(async () => (await readers())[0]!['fault']).toMatch(/rejects its key/);
    expect(reader.key).toBeNull();
  });

  it('says why a reader is refused, allows one replacement at a time, and never shows a key', {
    tags: ['slow'],
  }, async () => {
    await door.client.login({ code: door.setupCode });
    await paired();
    const reader = parts.reader(1);
    reader.key = oldKey;
    reader.restart();
    await door.client.call('POST', PATH, { body: { key: null } });
    await expect
      .poll(replacement)
      .toMatchObject({ seen: 'refused', text: expect.stringMatching(/another key/) as string });
    const other = await door.client.call('POST', '/osdp_readers/door_2_reader/replace', { body: { key: null } });
    expect(other).toMatchObject({ status: 409, body: { args: { reason: 'busy' } } });
    expect(await door.client.call('DELETE', PATH)).toMatchObject({ status: 200 });
    expect(await replacement()).toMatchObject({ state: 'canceled' });
    expect(await test()).toMatchObject({ result: 'skipped', seen: { ok: false } });

    expect(await door.client.call('POST', PATH, { body: { key: 'beef' } })).toMatchObject({
      status: 400,
      body: { args: { field: 'key' } },
    });
    await door.client.call('POST', PATH, { body: { key: oldKey.toString('hex') } });
    await expect.poll(replacement).toMatchObject({ state: 'done' });
    const { text } = await door.client.call('GET', '/support_bundle');
    for (const key of [oldKey, reader.key]) expect(text).not.toContain(key.toString('hex'));
    expect(readdirSync(door.folder).filter(name => name.endsWith('.key'))).toHaveLength(3);
  });

  it('does not know other readers', async () => {
    await door.client.login({ code: door.setupCode });
    for (const method of ['POST', 'DELETE']) {
      const { status, body } = await door.client.call(
        method,
        '/osdp_readers/none/replace',
        method === 'POST' ? { body: {} } : {},
      );
      expect([method, status, body]).toMatchObject([method, 404, { args: { reader: 'none' } }]);
    }
  });
});
