import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { compareVersions } from '@lintel/wire-protocol/updates/compare-versions';
import { refusalFor } from '@lintel/wire-protocol/updates/release-acceptance';
import { readRelease } from './release-files/read-release.ts';
import { piecesOf } from './release-files/write-release.ts';
import { type InstallParts, releaseName } from './install-release.ts';

const releasesIn = (folder: string): string[] =>
  ['lintel', '.'].flatMap(name => {
    const inside = join(folder, name);
    if (!statSync(inside, { throwIfNoEntry: false })?.isDirectory()) return [];
    return readdirSync(inside)
      .filter(one => one.endsWith('.release'))
      .map(one => join(inside, one));
  });

/** Of another product or machine: a stick may have releases for all that a technician passes by. */
const isForOthers: ReadonlySet<string> = new Set(['wrong_program', 'wrong_arch']);

/**
 * The newest of a stick that is meant for this machine. What cannot be read is left out, unless nothing else is there; and
 * so is what was tried here and given up: a stick that stays plugged in would bring it again with every start.
 */
export const newestOnStick = async (
  folder: string,
  { keys, machine, files }: Pick<InstallParts, 'keys' | 'machine' | 'files'>,
): Promise<string> => {
  const found: { readonly file: string; readonly version: string }[] = [];
  const problems: string[] = [];
  const givenUp = new Set(files.read().given_up);
  for (const file of releasesIn(folder)) {
    try {
      const { manifest, sha256 } = await readRelease(piecesOf(file), keys);
      const refusal = refusalFor(manifest, machine);
      if (refusal !== null && isForOthers.has(refusal.code)) problems.push(`${file}: ${refusal.message}`);
      else if (givenUp.has(releaseName(manifest.version, sha256)))
        problems.push(`${file}: ${manifest.version} was tried here and given up; name the file itself to try it again`);
      else found.push({ file, version: manifest.version });
    } catch (error) {
      problems.push(`${file}: ${(error as Error).message}`);
    }
  }
  const newest = found.toSorted((a, b) => compareVersions(b.version, a.version))[0];
  if (newest !== undefined) return newest.file;
  throw new Error([`${folder} has no release for this machine`, ...problems].join('\n'));
};
