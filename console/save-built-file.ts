import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Renamed when it is complete, because a server may read it and another build may write it. */
export const saveBuiltFile = (file: string, content: Uint8Array | string): void => {
  mkdirSync(dirname(file), { recursive: true });
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, content);
  renameSync(fresh, file);
};
