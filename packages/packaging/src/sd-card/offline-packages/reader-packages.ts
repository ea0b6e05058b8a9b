import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { lacking } from '../deb-files.ts';
import { PrepareProblem } from '../prepare-problem.ts';
import { DEBIAN, type Fetch, fetchPackages } from './fetch-packages.ts';
import { type Suite, wantedPackages } from './wanted-packages.ts';

export interface ReaderPackages {
  readonly files: readonly string[];
  /** Why there are none. */
  readonly trouble: string | null;
}

/** Of an earlier call, each checked when it came. */
const keptIn = (folder: string, suite: Suite): string[] => {
  try {
    const files = readdirSync(folder)
      .filter(name => name.endsWith('.deb'))
      .map(name => join(folder, name));
    return lacking(wantedPackages[suite], files).length === 0 ? files : [];
  } catch {
    return [];
  }
};

/** Fetched anew where there is a line, for the sake of the versions; else those of the last time. */
export const readerPackages = async (suite: Suite, cache: string, get: Fetch): Promise<ReaderPackages> => {
  const folder = join(cache, suite);
  try {
    return { files: await fetchPackages({ suite, folder, mirror: DEBIAN }, get), trouble: null };
  } catch (error) {
    if (!(error instanceof PrepareProblem)) throw error;
    const files = keptIn(folder, suite);
    return { files, trouble: files.length > 0 ? null : error.message };
  }
};
