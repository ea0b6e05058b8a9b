import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';

/** A file that its owner cannot open. Root can open every file, but no link to itself. */
const makeUnreadable = (file: string): void => {
  if (process.getuid?.() !== 0) return chmodSync(file, 0);
  rmSync(file);
  symlinkSync(file, file);
};

/** What can happen to a file on an SD card, or by a mistake of a person. */
export const fileDamages: Readonly<Record<string, (file: string) => void>> = {
  damaged: file => writeFileSync(file, '\0not what it was{'.repeat(600)),
  empty: file => writeFileSync(file, ''),
  unreadable: makeUnreadable,
  'a folder': file => {
    rmSync(file);
    mkdirSync(file);
  },
};

/** SQLite would restore the file from its log. */
export const damageFile = (file: string, damage: string): void => {
  for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true });
  fileDamages[damage]!(file);
};
