import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RequiredProgram } from '../require-program.ts';
import { findFreePort } from '../find-free-port.ts';

export const pgbouncer: RequiredProgram = { command: 'pgbouncer', install: 'apt-get install pgbouncer' };

const NOBODY = 65_534;
const identity = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

/** A PgBouncer that gives each transaction any of `poolSize` connections to the server of this database. */
export const startPgbouncer = async (database: string, poolSize: number) => {
  const { hostname, port: serverPort, pathname } = new URL(database);
  const home = mkdtempSync(join(tmpdir(), 'lintel-pgbouncer-'));
  chmodSync(home, 0o755);
  const port = await findFreePort();
  const file = join(home, 'pgbouncer.ini');
  writeFileSync(
    file,
    `[databases]
${pathname.slice(1)} = host=${hostname} port=${serverPort} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 1000
server_login_retry = 1
`,
  );
  const server = spawn('pgbouncer', [file], { ...identity, stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  await new Promise<void>((resolve, reject) => {
    server.stderr.on('data', chunk => {
      log += String(chunk);
      if (log.includes('process up')) resolve();
    });
    server.once('exit', code => reject(new Error(`PgBouncer ended with ${code}: ${log}`)));
  });
  return {
    url: `postgres://postgres@127.0.0.1:${port}${pathname}`,
    stop: async () => {
      const exited = once(server, 'exit');
      server.kill('SIGINT');
      await exited;
      rmSync(home, { recursive: true, force: true });
    },
  };
};
