import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { instant } from '@lintel/access-core/instant';
import { buildSqliteFilePath, openStorage, type Storage, type StorageOptions } from '../storage/open-storage.ts';

/** The time at which test databases and test clocks start. */
export const TEST_START_TIME = instant(Date.parse('2026-06-01T10:00:00Z'));

let template: Promise<string> | null = null;

const createTemplate = async (): Promise<string> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'lintel-template-'));
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  const storage = await openStorage({ dataDir, now: TEST_START_TIME });
  await storage.close();
  return buildSqliteFilePath(dataDir);
};

/** Puts an empty database with all tables into the data folder. Running the migrations for every test database takes longer. */
export const copySqliteTemplate = async (dataDir: string): Promise<void> => {
  template ??= createTemplate();
  copyFileSync(await template, buildSqliteFilePath(dataDir));
};

/** An empty SQLite database in a temporary folder. */
export const openTestStorage = async (options: Pick<StorageOptions, 'onQuery'> = {}): Promise<Storage> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'lintel-storage-'));
  await copySqliteTemplate(dataDir);
  return openStorage({ dataDir, now: 0, ...options });
};
