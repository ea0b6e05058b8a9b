import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { dpkgDeb, requirePackage, unpack } from '../support/processes/build-and-unpack-debian-package.ts';
import { callProgram, startPackagedProgram } from '../support/processes/packaged-program.ts';
import type { StartedProgram } from '../support/processes/start-program.ts';

const wanted = { program: 'bridge', arch: process.arch === 'arm64' ? 'arm64' : 'amd64' } as const;
const folder = mkdtempSync(join(tmpdir(), 'lintel-bridge-package-'));
let running: StartedProgram | null = null;

afterEach(async () => {
  await running?.stop('SIGKILL');
  running = null;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('bridge package', { tags: ['slow'] }, () => {
  it('asks before it replaces the configuration of an administrator', async context => {
    const { file } = await requirePackage(context, wanted);
    expect(await dpkgDeb('-I', file, 'conffiles')).toContain('/etc/lintel/bridge.toml\n');
    expect(await dpkgDeb('-f', file)).toMatch(/^Package: lintel-bridge\n/);
  });

  it('runs away from the repository with its configuration file, and serves its pages', async context => {
    const root = join(folder, 'root');
    cpSync(await unpack(await requirePackage(context, wanted)), root, { recursive: true, verbatimSymlinks: true });
    const config = join(root, 'etc/lintel/bridge.toml');
    const data = join(folder, 'data');
    writeFileSync(
      config,
      readFileSync(config, 'utf8')
        .replace('/var/lib/lintel-bridge', data)
        .replace('http_port = 8080', 'http_port = 0')
        .replace('mqtt_port = 1883', 'mqtt_port = 0'),
    );
    const program = join(root, 'usr/bin/lintel-bridge');
    running = await startPackagedProgram(program, ['bridge', '--config', config]);
    const url = String(running.ready['http']);
    const statusOf = async (path: string) => (await fetch(`${url}${path}`, { redirect: 'manual' })).status;
    const paths = ['/readyz', '/', '/login', '/login/style.css', '/docs', '/v2/openapi.json', '/guest'];
    expect(await Promise.all(paths.map(statusOf))).toEqual([200, 302, 200, 200, 200, 200, 200]);
    const openapi = await (await fetch(`${url}/v2/openapi.json`)).text();
    expect(openapi).toContain('mem_01jx5m8z6q0000000000000001');
    const seed = join(folder, 'seed.json');
    writeFileSync(seed, JSON.stringify({ organization: { key: 'org', name: 'Hotel' } }));
    const seeded = await callProgram(program, 'seed', seed, '--data', data, '--json');
    expect(JSON.parse(seeded)).toMatchObject({ ids: { org: expect.any(String) } });
  });
});
