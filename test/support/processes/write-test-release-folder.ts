import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lintelProgramFile } from './bundled-programs.ts';

const home = join(import.meta.dirname, '../../..');
const ownFolder = '"$(dirname "$(readlink -f "$0")")"';

/** How a version of the program behaves once it is started. */
const behaviors = {
  /** Runs the program of this checkout. */
  healthy: `exec '${process.execPath}' '${lintelProgramFile}' "$@"`,
  exits: 'exit 1',
  hangs: 'trap "" TERM; while :; do sleep 1; done',
  /** Runs and serves, but cannot read its databases. */
  unreadableStorage: `exec '${process.execPath}' --import ${ownFolder}/unreadable-storage.mjs '${lintelProgramFile}' "$@"`,
  /** Starts, and accepts no connections. */
  closedPorts: `exec '${process.execPath}' --import ${ownFolder}/closed-ports.mjs '${lintelProgramFile}' "$@"`,
  /** Never reaches the bridge. */
  offline: `exec '${process.execPath}' '${lintelProgramFile}' "$@" --upstream mqtt://127.0.0.1:1`,
} as const;
export type TestReleaseBehavior = keyof typeof behaviors;

const unreadableStorage = `import { createRequire } from 'node:module';
const Database = createRequire('${home}/packages/service/package.json')('better-sqlite3');
const { prepare } = Database.prototype;
Database.prototype.prepare = function (sql) {
  if (/(?:events|revocations)\\.db$/.test(this.name)) throw new Error('the format is not known');
  return prepare.call(this, sql);
};
`;

/** Listens, and closes as soon as that was announced. */
const closedPorts = `import { Server } from 'node:net';
const { listen } = Server.prototype;
Server.prototype.listen = function (...args) {
  this.once('listening', () => setImmediate(() => this.close()));
  return listen.apply(this, args);
};
`;

export type TestReleaseProduct = 'controller' | 'gateway';

/** Writes a folder as a package installs it, and as a release is made from. */
export const releaseFolder = (
  folder: string,
  version: string,
  behavior: TestReleaseBehavior = 'healthy',
  program: TestReleaseProduct = 'controller',
): string => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'start'), `#!/bin/sh\n# ${version}\n${behaviors[behavior]}\n`);
  chmodSync(join(folder, 'start'), 0o755);
  writeFileSync(join(folder, 'unreadable-storage.mjs'), unreadableStorage);
  writeFileSync(join(folder, 'closed-ports.mjs'), closedPorts);
  const facts = { program, version, arch: 'all', entry: 'start' };
  writeFileSync(join(folder, 'release.json'), JSON.stringify(facts));
  return folder;
};
