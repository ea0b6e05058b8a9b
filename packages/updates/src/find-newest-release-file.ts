import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { compareReleaseVersions } from '@lintel/wire-protocol/updates/release-version';
import { findReleaseRejection } from '@lintel/wire-protocol/updates/release-rejection';
import { readRelease } from './release-files/read-release.ts';
import { openReleaseFile } from './release-files/write-release.ts';
import { type UnpackReleaseDependencies, buildReleaseFolderName } from './verify-and-unpack-release.ts';

const releasesIn = (folder: string): string[] =>
  ['lintel', '.'].flatMap(name => {
    const inside = join(folder, name);
    if (!statSync(inside, { throwIfNoEntry: false })?.isDirectory()) return [];
    return readdirSync(inside)
      .filter(file => file.endsWith('.release'))
      .map(file => join(inside, file));
  });

/** Codes of releases for other products or machines, which a technician may carry on the same USB drive. */
const otherTarget: ReadonlySet<string> = new Set(['wrong_program', 'wrong_arch']);

/**
 * The newest release for this machine in a folder, such as a USB drive. Skips unreadable files, and releases that were rolled back
 * here: a drive that stays connected would install them again at each start.
 */
export const requireNewestReleaseFile = async (
  folder: string,
  { keys, machine, files }: Pick<UnpackReleaseDependencies, 'keys' | 'machine' | 'files'>,
): Promise<string> => {
  const found: { readonly file: string; readonly version: string }[] = [];
  const problems: string[] = [];
  const givenUp = new Set(files.read().given_up);
  for (const file of releasesIn(folder)) {
    try {
      const { manifest, sha256 } = await readRelease(openReleaseFile(file), keys);
      const refusal = findReleaseRejection(manifest, machine);
      if (refusal !== null && otherTarget.has(refusal.code)) problems.push(`${file}: ${refusal.message}`);
      else if (givenUp.has(buildReleaseFolderName(manifest.version, sha256)))
        problems.push(
          `${file}: ${manifest.version} was rolled back on this machine. Name the file itself to try it again`,
        );
      else found.push({ file, version: manifest.version });
    } catch (error) {
      problems.push(`${file}: ${(error as Error).message}`);
    }
  }
  const newest = found.toSorted((a, b) => compareReleaseVersions(b.version, a.version))[0];
  if (newest !== undefined) return newest.file;
  throw new Error([`${folder} has no release for this machine`, ...problems].join('\n'));
};
