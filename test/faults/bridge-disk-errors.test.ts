import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runLintel } from '../support/processes/lintel-command.ts';
import { SmallDisk } from '../support/faults/small-disk.ts';
import { startBridge } from '../support/processes/bridge-process.ts';

/** From now on, the process cannot write to files. Its database gets an I/O error. */
const setFileWrites = (pid: number, isAllowed: boolean): void => {
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${isAllowed ? 'unlimited' : 0}:unlimited`]);
};

it('answers 503 and is not ready while its disk reports errors, and continues when it works', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'lintel-disk-errors-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const bridge = await startBridge(dataDir);
  onTestFinished(() => void bridge.stop('SIGKILL'));
  const url = bridge.ready['http']!;
  const created = await runLintel('organization', 'create', '--name', 'Hotel', '--data', dataDir, '--json');
  const { organization_id: organization } = JSON.parse(created.stdout) as { organization_id: string };
  const issued = await runLintel(
    'token',
    '--data',
    dataDir,
    '--organization',
    organization,
    '--scope',
    'full_read_write offline',
    '--json',
  );
  const { access_token: token } = JSON.parse(issued.stdout) as { access_token: string };
  const write = async () => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(`${url}/v2/members`, { method: 'POST', headers, body: '{"name":"Ann"}' });
    return { status: response.status, body: (await response.json()) as object };
  };
  const ready = async () => {
    const response = await fetch(`${url}/readyz`);
    return { status: response.status, body: (await response.json()) as object };
  };
  expect((await write()).status).toBe(200);
  setFileWrites(bridge.process.pid!, false);
  expect(await write()).toMatchObject({ status: 503, body: { type: 'unavailable', args: { dependency: 'disk' } } });
  expect(await ready()).toMatchObject({ status: 503, body: { type: 'not_ready', args: { dependency: 'disk' } } });
  expect(bridge.log()).toContain('Disk of the database not available');
  setFileWrites(bridge.process.pid!, true);
  expect(await ready()).toMatchObject({ status: 200 });
  expect((await write()).status).toBe(200);
  expect(bridge.log()).toContain('Disk of the database available again');
  expect(bridge.log()).not.toContain('Request failed');
});

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'lintel-disk-errors-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
};

it('does not start in a data folder that another bridge uses', { tags: ['slow'] }, async () => {
  const dataDir = newFolder();
  const first = await startBridge(dataDir);
  onTestFinished(() => void first.stop('SIGKILL'));
  await expect(startBridge(dataDir)).rejects.toThrow('is in use by a bridge that is already running');
  await first.stop('SIGKILL');
  await (await startBridge(dataDir)).stop();
});

const readReadiness = async (url: string): Promise<object> => {
  const response = await fetch(`${url}/readyz`);
  return { status: response.status, body: await response.json() };
};

const diskNotReady = { status: 503, body: { type: 'not_ready', args: { dependency: 'disk' } } };

it('is not ready, and says why, on a file system that is read-only at its start', { tags: ['slow'] }, async context => {
  const disk = SmallDisk.mounted(context, 24);
  onTestFinished(() => disk.unmount());
  const dataDir = join(disk.folder, 'data');
  await (await startBridge(dataDir)).stop();
  execFileSync('mount', ['-o', 'remount,ro', disk.folder]);
  const bridge = await startBridge(dataDir);
  onTestFinished(() => void bridge.stop('SIGKILL'));
  expect(await readReadiness(bridge.ready['http']!)).toMatchObject(diskNotReady);
  expect(bridge.log()).toContain('Disk of the database not available');
  expect(bridge.log()).not.toMatch(/^ {4}at |chown/m);
});

it('starts while its disk is full, reads, and writes when there is space', { tags: ['slow'] }, async context => {
  const disk = SmallDisk.mounted(context, 24);
  onTestFinished(() => disk.unmount());
  const dataDir = join(disk.folder, 'data');
  const first = await startBridge(dataDir);
  await first.stop('SIGKILL');
  disk.fill();
  const bridge = await startBridge(dataDir);
  onTestFinished(() => void bridge.stop('SIGKILL'));
  expect(await readReadiness(bridge.ready['http']!)).toMatchObject(diskNotReady);
  expect(bridge.log()).not.toMatch(/^ {4}at /m);
  disk.free();
  expect(await readReadiness(bridge.ready['http']!)).toMatchObject({ status: 200 });
});
