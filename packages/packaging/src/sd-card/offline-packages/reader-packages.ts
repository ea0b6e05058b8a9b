import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { missingPackages } from '../deb-files.ts';
import { PrepareError } from '../prepare-error.ts';
import { DEBIAN_MIRROR, type FetchBytes, fetchPackages } from './fetch-packages.ts';
import { type DebianSuite, requiredPackages } from './required-packages.ts';

export interface ReaderPackages {
  readonly files: readonly string[];
  /** Why there are no files. */
  readonly problem: string | null;
}

/** Downloads the current versions. Offline, uses those of an earlier call, which were checked then. */
export const readerPackages = async (suite: DebianSuite, cache: string, get: FetchBytes): Promise<ReaderPackages> => {
  const folder = join(cache, suite);
  try {
    return { files: await fetchPackages({ suite, folder, mirror: DEBIAN_MIRROR }, get), problem: null };
  } catch (error) {
    if (!(error instanceof PrepareError)) throw error;
    const names = existsSync(folder) ? readdirSync(folder).filter(name => name.endsWith('.deb')) : [];
    const isComplete = missingPackages(requiredPackages[suite], names).length === 0;
    return isComplete
      ? { files: names.map(name => join(folder, name)), problem: null }
      : { files: [], problem: error.message };
  }
};
