import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStorage } from './open-storage.ts';

describe('openStorage', () => {
  it.each([true, false])('leaves one file that contains everything when it is closed (was read: %s)', async wasRead => {
    const dataDir = mkdtempSync(join(tmpdir(), 'lintel-storage-'));
    const storage = await openStorage({ dataDir, now: 0 });
    if (wasRead) await storage.reader.selectFrom('organizations').select('id').execute();
    await storage.close();
    expect(readdirSync(dataDir)).toEqual(['bridge.sqlite']);
  });
});
