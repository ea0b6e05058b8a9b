import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const home = join(import.meta.dirname, '../..');

/** How a version of the program behaves once it is started. */
const behaviours = {
  /** The program of this clone. */
  sound: `exec '${process.execPath}' '${home}/lintel.ts' "$@"`,
  exits: 'exit 1',
  hangs: 'trap "" TERM; while :; do sleep 1; done',
  /** It runs and serves, but cannot read what is on the disk. */
  blind: `exec '${process.execPath}' --import "$(dirname "$(readlink -f "$0")")/blind.mjs" '${home}/lintel.ts' "$@"`,
  /** It never reaches the bridge. */
  mute: `exec '${process.execPath}' '${home}/lintel.ts' "$@" --upstream mqtt://127.0.0.1:1`,
} as const;
export type Behaviour = keyof typeof behaviours;

const blind = `import { createRequire } from 'node:module';
const Database = createRequire('${home}/device-runtime/package.json')('better-sqlite3');
const { prepare } = Database.prototype;
Database.prototype.prepare = function (sql) {
  if (this.name.endsWith('events.db')) throw new Error('the format is not known');
  return prepare.call(this, sql);
};
`;

/** A folder as a package installs it, and as a release is made from. */
export const releaseFolder = (folder: string, version: string, behaviour: Behaviour = 'sound'): string => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'start'), `#!/bin/sh\n# ${version}\n${behaviours[behaviour]}\n`);
  chmodSync(join(folder, 'start'), 0o755);
  writeFileSync(join(folder, 'blind.mjs'), blind);
  const facts = { program: 'controller', version, arch: 'all', entry: 'start' };
  writeFileSync(join(folder, 'release.json'), JSON.stringify(facts));
  return folder;
};
