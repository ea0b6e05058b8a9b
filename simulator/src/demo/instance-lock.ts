import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivately } from '@lintel/service/data-folder/private-file';

interface Running {
  readonly pid: number;
  readonly page: string;
}

/** A busy machine answers late; where no demo runs, the connection is refused at once. */
const TIMEOUT_MS = 10_000;

const isAnswered = async (page: string): Promise<boolean> => {
  try {
    const { ok } = await fetch(`${page}/api/world`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return ok;
  } catch {
    return false;
  }
};

/** The page of a demo that already runs with this folder, or null. */
export const otherDemo = async (dataDir: string): Promise<string | null> => {
  try {
    const { page } = JSON.parse(readFileSync(join(dataDir, 'running.json'), 'utf8')) as Running;
    return (await isAnswered(page)) ? page : null;
  } catch {
    return null;
  }
};

/** Returns a function that removes the lock. */
export const writeInstanceLock = (dataDir: string, page: string): (() => void) => {
  const file = join(dataDir, 'running.json');
  writePrivately(file, JSON.stringify({ pid: process.pid, page } satisfies Running));
  return () => rmSync(file, { force: true });
};
