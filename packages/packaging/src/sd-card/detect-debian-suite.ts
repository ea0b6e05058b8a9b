import type { BootFolderContents } from './boot-folder.ts';
import { type DebianSuite, readDebianSuiteFile } from './offline-packages/debian-suites-and-package-names.ts';

/** First images of Raspberry Pi OS with trixie. There are later ones with bookworm. */
const FIRST_TRIXIE = '2025-10-01';

/** The Debian release on the card. trixie images have cloud-init, and `issue.txt` contains the date of the image. */
export const detectDebianSuite = (
  boot: Pick<BootFolderContents, 'mechanism' | 'userData' | 'hasMetaData' | 'issue'>,
): DebianSuite => {
  const date = /\b\d{4}-\d\d-\d\d\b/.exec(boot.issue ?? '')?.[0];
  if (date !== undefined && date < FIRST_TRIXIE) return 'bookworm';
  return boot.mechanism === 'cloud-init' || boot.userData !== null || boot.hasMetaData ? 'trixie' : 'bookworm';
};

/** Warns about downloaded packages for another release. */
export const findSuiteWarnings = (folder: string | null, card: DebianSuite): string[] => {
  const suite = folder === null ? null : readDebianSuiteFile(folder);
  if (suite === null || suite === card) return [];
  return [
    `the packages in ${folder} are for ${suite} and the card seems to have ${card}: fetch them with lintel image packages --suite ${card} and prepare it again`,
  ];
};
