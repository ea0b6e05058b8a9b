import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startBridge } from '../support/processes/bridge-process.ts';
import { runLintel } from '../support/processes/lintel-command.ts';

describe('links of lintel organization and lintel user', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lintel-links-'));
  const dataDir = join(folder, 'data');
  const at = ['--data', dataDir];
  const create = (name: string, ...args: string[]) =>
    runLintel('organization', 'create', '--name', name, '--owner', `${name}@example.test`, ...at, ...args);

  beforeAll(() => {
    writeFileSync(join(folder, 'seed.json'), JSON.stringify({ organization: { key: 'org', name: 'Hotel' } }));
    return runLintel('seed', join(folder, 'seed.json'), ...at);
  });
  afterAll(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });

  it('are refused before anything is written, if the address is not known', async () => {
    expect(await create('one')).toMatchObject({ code: 1, stderr: expect.stringContaining('Add --public-url') });
    const { stdout } = await runLintel('organization', 'list', ...at);
    expect(stdout).not.toContain('one');
  });

  it('have the address of the environment, or of the configuration file', async () => {
    vi.stubEnv('LINTEL_PUBLIC_URL', 'https://env.example.com/');
    expect((await create('two')).stdout).toContain('\thttps://env.example.com/invitation');
    vi.unstubAllEnvs();
    writeFileSync(join(folder, 'bridge.toml'), 'public_url = "https://file.example.com"\n');
    expect((await create('three', '--config', join(folder, 'bridge.toml'))).stdout).toContain(
      '\thttps://file.example.com/invitation',
    );
  });

  it('have the address that the bridge had at its last start', async () => {
    const bridge = await startBridge(dataDir, '--public-url', 'https://doors.example.com');
    await bridge.stop();
    expect((await create('four')).stdout).toContain('\thttps://doors.example.com/invitation');
  });
});
