import type { BootFolder } from './boot-folder.ts';
import { type Suite, suiteIn } from './offline-packages/wanted-packages.ts';

/** Of the first images of Raspberry Pi OS with trixie; those with bookworm have been made after it too. */
const FIRST_TRIXIE = '2025-10-01';

/** Debian's name of what is on the card: with trixie came cloud-init, and `issue.txt` has the day of the image. */
export const suiteOf = (boot: Pick<BootFolder, 'mechanism' | 'userData' | 'hasMetaData' | 'issue'>): Suite => {
  const day = /\b\d{4}-\d\d-\d\d\b/.exec(boot.issue ?? '')?.[0];
  if (day !== undefined && day < FIRST_TRIXIE) return 'bookworm';
  return boot.mechanism === 'cloud-init' || boot.userData !== null || boot.hasMetaData ? 'trixie' : 'bookworm';
};

/** What to mind about packages that were fetched before, where their folder says for what. */
export const otherSuite = (folder: string | null, card: Suite): string[] => {
  const theirs = folder === null ? null : suiteIn(folder);
  return theirs === null || theirs === card
    ? []
    : [
        `the packages in ${folder} are for ${theirs} and the card seems to have ${card}: fetch them with lintel image packages --suite ${card} and prepare it again`,
      ];
};
