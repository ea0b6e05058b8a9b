import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { ReleasePayloadFile } from '@lintel/updates/release-files/write-release';
import { RELEASE_DESCRIPTION_FILE } from '@lintel/updates/releases-folder';

const EXECUTABLE = 0o111;

/** Links become what they lead to, as long as that is inside. */
const inside = (root: string, path: string): boolean => {
  const way = relative(realpathSync(root), realpathSync(path));
  return way !== '..' && !way.startsWith(`..${sep}`);
};

const pathsBelow = (folder: string, prefix = ''): string[] =>
  readdirSync(join(folder, prefix), { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(entry => {
      const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`;
      if (!inside(folder, join(folder, path))) throw new Error(`${join(folder, path)} leads out of the folder`);
      return statSync(join(folder, path)).isDirectory() ? pathsBelow(folder, path) : [path];
    });

/** Every file of a folder but its `release.json`, which is created again where it is unpacked. */
export const readFolderPayload = (folder: string): ReleasePayloadFile[] =>
  pathsBelow(folder)
    .filter(path => path !== RELEASE_DESCRIPTION_FILE)
    .map(path => ({
      path,
      isExecutable: (statSync(join(folder, path)).mode & EXECUTABLE) !== 0,
      read: () => readFileSync(join(folder, path)),
    }));
