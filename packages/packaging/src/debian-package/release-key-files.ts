import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readReleasePublicKeys } from '@lintel/updates/release-files/release-keys';
import { programPaths, type UpdatableProgramName } from '@lintel/updates/program-paths';

interface KeyFile {
  readonly path: string;
  readonly text: string;
}

/** The public keys of a folder with their paths on the device. Throws unless all of them are valid. */
export const readReleaseKeyFiles = (folder: string, program: UpdatableProgramName): KeyFile[] => {
  const { problems, byId } = readReleasePublicKeys(folder);
  if (problems.length > 0 || byId.size === 0) throw new Error(problems[0] ?? `${folder} has no public keys (*.pub)`);
  return readdirSync(folder)
    .filter(name => name.endsWith('.pub'))
    .toSorted()
    .map(name => ({
      path: `${programPaths[program].keys.slice(1)}/${name}`,
      text: readFileSync(join(folder, name), 'utf8'),
    }));
};
