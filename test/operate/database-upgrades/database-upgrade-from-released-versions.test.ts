import { copyFileSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { Client } from 'pg';
import { describe, expect, inject, it } from 'vitest';
import { createEmptyDatabase } from '../../support/bridge/postgres.ts';
import { TestBridge } from '../../support/bridge/test-bridge.ts';
import { goldenClient, goldenFolder, readGoldenContents } from './golden-database.ts';

const versions = readdirSync(goldenFolder);
const cases = versions.flatMap(version => (['sqlite', 'postgres'] as const).map(engine => [version, engine] as const));

const loadDump = async (statements: string): Promise<string> => {
  const database = await createEmptyDatabase(inject('postgresUrl'));
  const client = new Client(database);
  await client.connect();
  await client.query(statements);
  await client.end();
  return database;
};

describe.each(cases)('a database of version %s (%s)', (version, engine) => {
  it('is migrated, and the API returns the same objects', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'lintel-upgrade-'));
    const golden = (name: string): string => join(goldenFolder, version, name);
    copyFileSync(golden('master-keys.json'), join(dataDir, 'master-keys.json'));
    const bytes = zstdDecompressSync(readFileSync(golden(`${engine}.zst`)));
    let database: string | undefined;
    if (engine === 'postgres') database = await loadDump(bytes.toString());
    else writeFileSync(join(dataDir, 'bridge.sqlite'), bytes, { mode: 0o600 });
    const bridge = await TestBridge.open({ dataDir, engine, ...(database === undefined ? {} : { database }) });
    try {
      const contents = readGoldenContents(version, engine);
      const client = await goldenClient(bridge, contents);
      for (const [path, expected] of Object.entries(contents.responses)) {
        const isReveal = path.endsWith('/reveal');
        const found = await client.callOk(
          isReveal ? 'POST' : 'GET',
          isReveal ? path : `${path}?limit=100`,
          isReveal ? {} : undefined,
        );
        // Fields may be added, but none may change.
        expect(isReveal ? found : found.data).toMatchObject(expected as object);
      }
      await client.callOk('POST', '/members', { name: 'After the upgrade' });
    } finally {
      await bridge.close();
    }
  });
});
