import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Paths of all files and links below a folder, relative to it, sorted. Links are not followed: they lead out of a root. */
export const filesBelow = (folder: string): readonly string[] => {
  const found: string[] = [];
  const look = (path: string): void => {
    for (const entry of readdirSync(join(folder, path), { withFileTypes: true })) {
      if (entry.isDirectory()) look(join(path, entry.name));
      else found.push(join(path, entry.name));
    }
  };
  look('');
  return found.toSorted();
};

/** The folders that paths lie in, each after the one that it lies in itself. */
export const foldersOf = (paths: readonly string[]): readonly string[] => {
  const folders = new Set<string>();
  for (const path of paths) for (let at = dirname(path); at !== '.'; at = dirname(at)) folders.add(at);
  return [...folders].toSorted();
};
