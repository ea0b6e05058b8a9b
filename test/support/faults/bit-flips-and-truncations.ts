import { lstatSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SeededRandom } from '../seeded-random.ts';
import { iterations, runSeed } from '../test-iterations-and-seed.ts';

const PAGE = 4096;

export interface FileDamage {
  readonly what: string;
  readonly apply: (dataDir: string) => void;
}

/** Without the zeros at the end of preallocated files. */
const countUsedBytes = (path: string): number => 1 + readFileSync(path).findLastIndex(byte => byte !== 0);

/** All files with content, also write-ahead logs. Locks and the index of a log are not data. */
export const listDataFiles = (dataDir: string): string[] =>
  readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
    .filter(name => !/lock$|-shm$/.test(name))
    .filter(name => lstatSync(join(dataDir, name)).isFile() && countUsedBytes(join(dataDir, name)) > 0)
    .toSorted();

const flipBit = (file: string, bit: number): FileDamage => ({
  what: `bit ${bit % 8} of byte ${Math.floor(bit / 8)} in ${file}`,
  apply: dataDir => {
    const bytes = readFileSync(join(dataDir, file));
    bytes[Math.floor(bit / 8)]! ^= 1 << (bit % 8);
    writeFileSync(join(dataDir, file), bytes);
  },
});

/** One bit in one of the files, by the seed of the run. */
export const createBitFlips = (dataDir: string, files: readonly string[], all: number): FileDamage[] => {
  const random = new SeededRandom(runSeed());
  return Array.from({ length: iterations({ sample: Math.ceil(all / 50), all }) }, () => {
    const file = random.pick(files);
    return flipBit(file, random.below(8 * countUsedBytes(join(dataDir, file))));
  });
};

/** Every file cut at every page boundary, or a sample of them. */
export const createTruncations = (dataDir: string, files: readonly string[], sample: number): FileDamage[] => {
  const every = files.flatMap(file => {
    const pages = Math.ceil(countUsedBytes(join(dataDir, file)) / PAGE);
    return Array.from({ length: pages }, (_, page) => ({
      what: `${file} of ${page} pages`,
      apply: (dir: string) => truncateSync(join(dir, file), page * PAGE),
    }));
  });
  const step = Math.ceil(every.length / iterations({ sample, all: every.length }));
  return every.filter((_, index) => index % step === 0);
};
