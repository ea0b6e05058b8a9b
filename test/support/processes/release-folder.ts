import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const home = join(import.meta.dirname, '../../..');

/** How a version of the program behaves once it is started. */
const behaviours = {
  /** The program of this clone. */
  sound: `exec '${process.execPath}' '${home}/lintel.ts' "$@"`,
  exits: 'exit 1',
  hangs: 'trap "" TERM; while :; do sleep 1; done',
  /** It runs and serves, but cannot read what is on the disk. */
  blind: `exec '${process.execPath}' --import "$(dirname "$(readlink -f "$0")")/blind.mjs" '${home}/lintel.ts' "$@"`,
  /** A gateway that has no ports: whoever knocks is not heard. */
  shut: `exec '${process.execPath}' --import "$(dirname "$(readlink -f "$0")")/shut.mjs" '${home}/lintel.ts' "$@"`,
  /** It never reaches the bridge. */
  mute: `exec '${process.execPath}' '${home}/lintel.ts' "$@" --upstream mqtt://127.0.0.1:1`,
} as const;
export type Behaviour = keyof typeof behaviours;

const blind = `import { createRequire } from 'node:module';
const Database = createRequire('${home}/device-runtime/package.json')('better-sqlite3');
const { prepare } = Database.prototype;
Database.prototype.prepare = function (sql) {
  if (/(?:events|store)\\.db$/.test(this.name)) throw new Error('the format is not known');
  return prepare.call(this, sql);
};
`;

/** Says that it listens, and a moment later does so no longer. */
const shut = `import { Server } from 'node:net';
const { listen } = Server.prototype;
Server.prototype.listen = function (...args) {
  this.once('listening', () => setImmediate(() => this.close()));
  return listen.apply(this, args);
};
`;

export type Product = 'controller' | 'gateway';

/** A folder as a package installs it, and as a release is made from. */
export const releaseFolder = (
  folder: string,
  version: string,
  behaviour: Behaviour = 'sound',
  program: Product = 'controller',
): string => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'start'), `#!/bin/sh\n# ${version}\n${behaviours[behaviour]}\n`);
  chmodSync(join(folder, 'start'), 0o755);
  writeFileSync(join(folder, 'blind.mjs'), blind);
  writeFileSync(join(folder, 'shut.mjs'), shut);
  const facts = { program, version, arch: 'all', entry: 'start' };
  writeFileSync(join(folder, 'release.json'), JSON.stringify(facts));
  return folder;
};
