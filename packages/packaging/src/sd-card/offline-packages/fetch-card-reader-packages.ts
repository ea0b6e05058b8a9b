import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { reportNothing } from '@lintel/service/command-line/progress';
import { listMissingDebNames } from '../controller-and-extra-deb-files.ts';
import { SdCardPreparationError } from '../sd-card-preparation-error.ts';
import { DEBIAN_MIRROR, type FetchBytes, fetchDebianPackages } from './fetch-packages.ts';
import { type DebianSuite, cardReaderPackageNames } from './debian-suites-and-package-names.ts';

export interface CardReaderPackages {
  readonly files: readonly string[];
  /** Why there are no files. */
  readonly problem: string | null;
}

/** Downloads the current versions. Offline, uses those of an earlier call, which were checked then. */
export const fetchCardReaderPackages = async (
  suite: DebianSuite,
  cache: string,
  get: FetchBytes,
  report = reportNothing,
): Promise<CardReaderPackages> => {
  const folder = join(cache, suite);
  try {
    const files = await fetchDebianPackages({ suite, folder, mirror: DEBIAN_MIRROR }, get, report);
    return { files, problem: null };
  } catch (error) {
    if (!(error instanceof SdCardPreparationError)) throw error;
    const names = existsSync(folder) ? readdirSync(folder).filter(name => name.endsWith('.deb')) : [];
    const isComplete = listMissingDebNames(cardReaderPackageNames[suite], names).length === 0;
    return isComplete
      ? { files: names.map(name => join(folder, name)), problem: null }
      : { files: [], problem: error.message };
  }
};
