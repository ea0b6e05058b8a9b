import { execFile } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../architecture/read-sources-and-resolve-imports.ts';
import { type CommandResult, spawnLintel } from '../support/processes/lintel-command.ts';

/** The user of the service: `nobody`, a real user of every machine. */
const SERVICE = 65_534;
/** The source, because the bundles of the tests are private. */
const program = join(root, 'cli/src/lintel.ts');
const isRoot = process.getuid?.() === 0;

/** Files that the service user cannot have written. */
const foreignFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    name => statSync(join(folder, name)).uid !== SERVICE,
  );

const asService = (...args: readonly string[]): Promise<CommandResult> =>
  new Promise(resolve => {
    const call = { uid: SERVICE, gid: SERVICE, cwd: '/', env: { PATH: process.env['PATH'] } };
    execFile(process.execPath, [program, ...args], call, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr }),
    );
  });

describe.skipIf(!isRoot)('commands that root calls for a service of another user', () => {
  let folder: string;
  const path = (name: string) => join(folder, name);
  const data = () => ['--data', path('data')];
  const secret = () => ['--passphrase-file', path('passphrase')];

  const newServiceFolder = (name: string): void => {
    mkdirSync(path(name), { mode: 0o700 });
    chownSync(path(name), SERVICE, SERVICE);
  };

  const succeed = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await spawnLintel(...args);
    expect([code, stderr.slice(-1500)]).toEqual([0, '']);
    return stdout;
  };

  beforeAll(async () => {
    // Not in the folder of the run, which only root can enter.
    folder = mkdtempSync('/tmp/lintel-owner-');
    chmodSync(folder, 0o711);
    newServiceFolder('data');
    // What the operator gives and gets belongs to root alone.
    mkdirSync(path('root'), { mode: 0o700 });
    writeFileSync(path('passphrase'), 'correct horse battery', { mode: 0o600 });
    const hotel = { organization: { key: 'org', name: 'Hotel' }, members: [{ key: 'a', name: 'Ann', pins: ['2580'] }] };
    writeFileSync(path('root/seed.json'), JSON.stringify(hotel), { mode: 0o600 });
    await succeed('seed', path('root/seed.json'), ...data());
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('leave a rotated key that the service can read', async () => {
    await succeed('keys', 'rotate', ...data());
    expect(foreignFiles(path('data'))).toEqual([]);
    expect(await asService('keys', 'list', ...data())).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Key 2 (current): '),
    });
  });

  it('write a backup where only root can, and one beside the data', { tags: ['slow'] }, async () => {
    await succeed('backup', ...data(), '--out', path('root/a.backup'), ...secret());
    expect(statSync(path('root/a.backup')).uid).toBe(0);
    await succeed('backup', ...data(), '--out', path('data/b.backup'), ...secret());
    expect(foreignFiles(path('data'))).toEqual([]);
    newServiceFolder('restored');
    await succeed('restore', path('root/a.backup'), '--data', path('restored'), ...secret());
    expect(foreignFiles(path('restored'))).toEqual([]);
    expect(await asService('organization', 'list', '--data', path('restored'))).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Hotel'),
    });
  });

  it('leave all else to the service, too', { tags: ['slow'] }, async () => {
    const id = (await succeed('organization', 'list', ...data())).split('\t')[0]!;
    await succeed('broker-certificate', ...data(), '--name', 'broker.example.com', '--out', path('root/broker'));
    await succeed('organization', 'export', id, ...data(), '--out', path('root/hotel.export'), ...secret());
    newServiceFolder('other');
    await succeed('organization', 'import', path('root/hotel.export'), '--data', path('other'), ...secret());
    for (const name of ['data', 'other']) expect(foreignFiles(path(name))).toEqual([]);
    expect(await asService('user', 'list', '--data', path('other'))).toMatchObject({ code: 0 });
  });

  it('name the user who may use the folder', { tags: ['slow'] }, async () => {
    newServiceFolder('mine');
    chownSync(path('mine'), 1, 1);
    expect(await asService('user', 'list', '--data', path('mine'))).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /permission denied for the user nobody\. It belongs to daemon\. Run .* sudo -u daemon\n$/,
      ),
    });
    expect(await spawnLintel('bridge', ...data(), '--http-port', '0', '--mqtt-port', '0')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('belongs to nobody. Run the program as that user, with sudo -u nobody'),
    });
  });
});
