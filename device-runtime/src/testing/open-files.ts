import { readdirSync, readlinkSync } from 'node:fs';

const pathOf = (descriptor: string): string[] => {
  try {
    return [readlinkSync(`/proc/self/fd/${descriptor}`)];
  } catch {
    // The one that the list itself was read through.
    return [];
  }
};

/** What this process holds open, once for each descriptor. */
export const openFiles = (): readonly string[] => readdirSync('/proc/self/fd').flatMap(pathOf);
