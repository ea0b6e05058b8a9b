import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivateFile } from '@lintel/service/data-folder/private-file';

interface Running {
  readonly pid: number;
  readonly page: string;
}

/** Long, because a busy demo responds late. Without a demo, the connection fails at once. */
const TIMEOUT_MS = 10_000;

const isServing = async (page: string): Promise<boolean> => {
  try {
    const { ok } = await fetch(`${page}/api/world`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return ok;
  } catch {
    return false;
  }
};

/** The page address of a demo that already uses this folder, or null. */
export const findRunningDemoAddress = async (dataDir: string): Promise<string | null> => {
  try {
    const { page } = JSON.parse(readFileSync(join(dataDir, 'running.json'), 'utf8')) as Running;
    return (await isServing(page)) ? page : null;
  } catch {
    return null;
  }
};

/** Returns a function that removes the lock. */
export const writeInstanceLock = (dataDir: string, page: string): (() => void) => {
  const file = join(dataDir, 'running.json');
  writePrivateFile(file, JSON.stringify({ pid: process.pid, page } satisfies Running));
  return () => rmSync(file, { force: true });
};
