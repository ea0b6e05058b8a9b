import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadDeviceCommand } from '@lintel/cli/load-device-command';
import { startDevice } from '../support/processes/device-process.ts';

const { command } = await loadDeviceCommand();
const profiles = fileURLToPath(new URL('../../hardware-profiles/profiles/', import.meta.url));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-device-command-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const profileFile = (product: string): string => join(profiles, `${product}.json`);

const optionsFor = (product: string): string[] => [
  '--profile',
  profileFile(product),
  '--data',
  join(folder, 'data'),
  '--technician-host',
  '127.0.0.1',
  '--technician-port',
  '0',
  '--no-mdns',
];

/** Runs the command in this process. Only for calls that fail, because a successful call serves until its process ends. */
const failingCall = async (...args: readonly string[]) => {
  let stderr = '';
  const write = (text: string): void => {
    stderr += text;
  };
  const exitCode = await command.run(args, { stdin: process.stdin, stdout: { write }, stderr: { write } });
  return { exitCode, stderr };
};

const startProcess = (product: string) => startDevice(join(folder, 'data'), '--profile', profileFile(product));

describe('lintel device', () => {
  it('prints the address of the technician page, locks its data folder, and exits with 0 on SIGTERM', async () => {
    const device = await startProcess('laptop-simulator');
    expect(device.ready).toMatchObject({ ready: true, product_id: 'laptop-simulator', device_id: null });
    expect(device.ready['technician']).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect(await failingCall(...optionsFor('laptop-simulator'))).toEqual({
      exitCode: 1,
      stderr: expect.stringMatching(/is in use by a controller that is already running/) as string,
    });
    expect(await device.stop()).toBe(0);
  });

  it('starts although the hardware of its profile is missing', { tags: ['slow'] }, async () => {
    const device = await startProcess('rpi-osdp');
    expect(device.ready).toMatchObject({ ready: true, product_id: 'rpi-osdp' });
    expect(await device.stop()).toBe(0);
  });

  it('rejects the data folder of a bridge', async () => {
    writeFileSync(join(folder, 'folder-kind'), 'bridge');
    const { exitCode, stderr } = await failingCall('--profile', join(profiles, 'usb-only.json'), '--data', folder);
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/is the data folder of a bridge/)]);
  });

  it.each([
    [[], 2, /--data is required/],
    [['--profil', 'x'], 2, /--profil/],
    [['--profile', '/no/such/file', '--data', 'x'], 1, /no\/such\/file/],
    [['--profile', 'x', '--data', 'x', '--upstream', 'http://127.0.0.1'], 2, /--upstream must be/],
    [['--profile', 'x', '--data', 'x', '--technician-port', '99999'], 2, /--technician-port must be/],
    [['--profile', 'x', '--data', 'x', '--event-disk-mb', '1'], 2, /--event-disk-mb must be 16 to/],
  ])('called with %j exits with %i and an explanation', async (args, code, message) => {
    const { exitCode, stderr } = await failingCall(...args);
    expect(exitCode).toBe(code);
    expect(stderr).toMatch(message);
  });

  it('names the invalid field of a profile', async () => {
    const file = join(folder, 'door.json');
    writeFileSync(file, JSON.stringify({ product_id: 'door', name: 'Door' }));
    const { exitCode, stderr } = await failingCall('--profile', file, '--data', folder);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/door\.json: capabilities/);
  });
});
