import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';

const commandFile = new URL('device.ts', import.meta.url).href;
const profiles = fileURLToPath(new URL('../../../hardware-profiles/profiles/', import.meta.url));
const script = `import { command } from '${commandFile}'; process.exitCode = await command.run(process.argv.slice(1));`;
const call = (...args: readonly string[]) => ['--input-type=module', '-e', script, '--', ...args];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-device-command-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const quietly = ['--technician-host', '127.0.0.1', '--technician-port', '0', '--no-mdns'];

const servesUntilTold = async (product: string): Promise<Record<string, unknown>> => {
  const options = ['--profile', join(profiles, `${product}.json`), '--data', join(folder, 'data'), ...quietly];
  const child = spawn(process.execPath, call(...options));
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  expect((await exited)[0]).toBe(0);
  return JSON.parse(line) as Record<string, unknown>;
};

it('serves with simulated parts until it is told to stop, and names its page', async () => {
  const ready = await servesUntilTold('laptop-simulator');
  expect(ready).toMatchObject({ ready: true, product_id: 'laptop-simulator', device_id: null });
  expect(ready['technician']).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
});

it('serves also where its parts are missing', async () => {
  expect(await servesUntilTold('rpi-osdp')).toMatchObject({ ready: true, product_id: 'rpi-osdp' });
});

it('refuses a folder on which another runs, or which is of another kind', async () => {
  const data = join(folder, 'data');
  const options = ['--profile', join(profiles, 'laptop-simulator.json'), '--data', data, ...quietly];
  const again = () => spawnSync(process.execPath, call(...options), { encoding: 'utf8', timeout: 30_000 });
  const child = spawn(process.execPath, call(...options));
  await once(createInterface({ input: child.stdout }), 'line');
  const second = again();
  expect([second.status, second.stderr]).toEqual([1, expect.stringMatching(/is in use: a controller runs on it/)]);
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
  writeFileSync(join(data, 'folder-kind'), 'bridge');
  const third = again();
  expect([third.status, third.stderr]).toEqual([1, expect.stringMatching(/is the data folder of a bridge/)]);
});

it.each([
  [[], 2, /--data is needed/],
  [['--profil', 'x'], 2, /--profil/],
  [['--profile', '/no/such/file', '--data', 'x'], 1, /no\/such\/file/],
  [['--profile', 'x', '--data', 'x', '--upstream', 'http://127.0.0.1'], 2, /--upstream must be/],
  [['--profile', 'x', '--data', 'x', '--technician-port', '99999'], 2, /--technician-port must be/],
  [['--profile', 'x', '--data', 'x', '--event-disk-mb', '1'], 2, /--event-disk-mb must be 16 to/],
])('called with %j it answers %i and says what is wrong', (args, code, message) => {
  const { status, stderr } = spawnSync(process.execPath, call(...args), { encoding: 'utf8', timeout: 30_000 });
  expect(status).toBe(code);
  expect(stderr).toMatch(message);
});

it('names the place of what is wrong in a profile', () => {
  const file = join(folder, 'door.json');
  writeFileSync(file, JSON.stringify({ product_id: 'door', name: 'Door' }));
  const { status, stderr } = spawnSync(process.execPath, call('--profile', file, '--data', folder), {
    encoding: 'utf8',
    timeout: 30_000,
  });
  expect(status).toBe(1);
  expect(stderr).toMatch(/door\.json: capabilities/);
});
