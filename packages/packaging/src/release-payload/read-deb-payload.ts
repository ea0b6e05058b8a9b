import type { ReleasePayloadFile } from '@lintel/updates/release-files/write-release';
import { RELEASE_DESCRIPTION_FILE } from '@lintel/updates/releases-folder';
import { readDebPackageFiles } from '../debian-package/read-deb-package.ts';

export interface DebianProgramPayload {
  readonly files: readonly ReleasePayloadFile[];
  /** Contents of its `release.json`. */
  readonly facts: Readonly<Record<string, unknown>>;
}

/** The program of a package: the folder that contains a `release.json`. */
export const readDebPayload = async (file: string): Promise<DebianProgramPayload> => {
  const packaged = await readDebPackageFiles(file);
  const [description, ...others] = packaged.filter(({ path }) => path.endsWith(`/${RELEASE_DESCRIPTION_FILE}`));
  if (description === undefined || others.length > 0)
    throw new Error(`${file} is not a package of Lintel: it must contain one ${RELEASE_DESCRIPTION_FILE}`);
  const folder = description.path.slice(0, -RELEASE_DESCRIPTION_FILE.length);
  return {
    facts: JSON.parse(description.bytes.toString('utf8')) as DebianProgramPayload['facts'],
    files: packaged
      .filter(packed => packed.path.startsWith(folder) && packed !== description)
      .map(({ path, isExecutable, bytes }) => ({ path: path.slice(folder.length), isExecutable, read: () => bytes })),
  };
};
