import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Where desktops mount cards: `/media/USER/bootfs`, `/run/media/USER/bootfs`, `/Volumes/bootfs`. */
const mountRoots = ['/media', '/run/media', '/Volumes'];

const foldersIn = (folder: string): string[] => {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter(entry => entry.isDirectory())
      .map(({ name }) => join(folder, name));
  } catch {
    return [];
  }
};

const isBootFolder = (folder: string): boolean =>
  existsSync(join(folder, 'cmdline.txt')) && existsSync(join(folder, 'config.txt'));

/** The boot partitions of mounted Raspberry Pi cards. */
export const findBootFolders = (): string[] =>
  mountRoots.flatMap(root => [...foldersIn(root), ...foldersIn(root).flatMap(foldersIn)]).filter(isBootFolder);
