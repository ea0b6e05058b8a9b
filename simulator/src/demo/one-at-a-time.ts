import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivately } from '@lintel/service/data-folder/private-file';

interface Running {
  readonly pid: number;
  readonly page: string;
}

/** A busy machine answers late; where no demo runs, the connection is refused at once. */
const PATIENCE_MS = 10_000;

const isAnswered = async (page: string): Promise<boolean> => {
  try {
    const { ok } = await fetch(`${page}/api/world`, { signal: AbortSignal.timeout(PATIENCE_MS) });
    return ok;
  } catch {
    return false;
  }
};

/** The page of a demonstration that runs with this folder already, or null. */
export const otherDemo = async (dataDir: string): Promise<string | null> => {
  try {
    const { page } = JSON.parse(readFileSync(join(dataDir, 'running.json'), 'utf8')) as Running;
    return (await isAnswered(page)) ? page : null;
  } catch {
    return null;
  }
};

/** Answers what takes the sign away again. */
export const hangOutSign = (dataDir: string, page: string): (() => void) => {
  const file = join(dataDir, 'running.json');
  writePrivately(file, JSON.stringify({ pid: process.pid, page } satisfies Running));
  return () => rmSync(file, { force: true });
};
