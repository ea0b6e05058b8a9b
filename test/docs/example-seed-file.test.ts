import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { instant } from '@lintel/access-core/instant';
import { afterAll, describe, expect, it } from 'vitest';
import { seedListNames } from '@lintel/cloud-bridge/seed/seed-file';
import { root } from '../architecture/read-sources-and-resolve-imports.ts';
import { openAdminSession } from '../support/bridge/admin-client.ts';
import { TestBridge } from '../support/bridge/test-bridge.ts';
import { runLintel } from '../support/processes/lintel-command.ts';
import { readPage } from './markdown.test-support.ts';

const file = join(root, 'docs/reference/hotel.json');

describe('docs/reference/hotel.json', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'lintel-hotel-'));
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

  it('has an example of every list that the page describes', () => {
    const example = JSON.parse(readFileSync(file, 'utf8')) as object;
    expect(Object.keys(example).toSorted()).toEqual(['organization', ...seedListNames].toSorted());
    const page = readPage('docs/reference/seed-file.md');
    for (const name of seedListNames) expect(page).toContain(`| \`${name}\` |`);
  });

  it('creates a hotel whose PIN opens its door, and can be seeded again', async () => {
    const seed = () => runLintel('seed', file, '--data', dataDir, '--json');
    const { stdout, stderr } = await seed();
    expect(stderr).toBe('');
    const { ids } = JSON.parse(stdout) as { ids: Record<string, string> };
    expect(JSON.parse((await seed()).stdout)).toEqual({ ids, secrets: {} });
    const bridge = await TestBridge.open({ dataDir });
    bridge.now = instant(Date.parse('2026-07-02T10:00:00Z'));
    const admin = await openAdminSession(bridge, ids['hotel']!, 'owner');
    const type = (keys: string) => admin.callOk('POST', `/devices/${ids['lobby']}/keypad`, { keys });
    expect(await type('258025#')).toMatchObject({ outcome: 'granted', gadget_id: ids['front'] });
    expect(await type('*101258025#')).toMatchObject({ outcome: 'granted', gadget_id: ids['room-101'] });
    expect((await admin.get(`/gadgets/${ids['light']}`)).body).toMatchObject({ state_id: 'on' });
    await bridge.close();
  });
});
