import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBridgeServices } from '@lintel/cloud-bridge/open-services';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { startPostgres, TEMPLATE_DATABASE } from './postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly postgresUrl: string;
  }
}

/** Durability is off for speed; the fault tests cover it. */
const settings = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=400'];

/** Starts one PostgreSQL for the run, with a migrated template that each test copies. */
export default async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  const server = await startPostgres(settings.flatMap(setting => ['-c', setting]));
  const dataDir = mkdtempSync(join(tmpdir(), 'lintel-template-'));
  const admin = new Client(`${server.url}/postgres`);
  await admin.connect();
  await admin.query(`create database ${TEMPLATE_DATABASE}`);
  await admin.end();
  const services = await openBridgeServices({ dataDir, database: `${server.url}/${TEMPLATE_DATABASE}` });
  // Each copy of the template belongs to the keys of its own test.
  await services.storage.writer.deleteFrom('key_checks').execute();
  await services.close();
  rmSync(dataDir, { recursive: true, force: true });
  provide('postgresUrl', server.url);
  return () => server.stop();
};
