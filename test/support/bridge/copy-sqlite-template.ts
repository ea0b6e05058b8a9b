import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { instant } from '@lintel/access-core/instant';
import { openStorage, buildSqliteFilePath } from '../../../cloud-bridge/src/storage/open-storage.ts';

let template: Promise<string> | null = null;

const createTemplate = async (): Promise<string> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'lintel-template-'));
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  const storage = await openStorage({ dataDir, now: instant(Date.parse('2026-06-01T10:00:00Z')) });
  await storage.close();
  return buildSqliteFilePath(dataDir);
};

/** Puts an empty database with all tables into the data folder. Running the migrations for every bridge takes longer. */
export const copySqliteTemplate = async (dataDir: string): Promise<void> => {
  template ??= createTemplate();
  copyFileSync(await template, buildSqliteFilePath(dataDir));
};
