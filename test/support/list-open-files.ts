import { readdirSync, readlinkSync } from 'node:fs';

const pathOf = (descriptor: string): string[] => {
  try {
    return [readlinkSync(`/proc/self/fd/${descriptor}`)];
  } catch {
    // The descriptor of the listing itself.
    return [];
  }
};

/** The files that this process has open, once for each descriptor. */
export const listOpenFiles = (): readonly string[] => readdirSync('/proc/self/fd').flatMap(pathOf);
