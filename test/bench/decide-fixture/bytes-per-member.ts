import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const script = fileURLToPath(new URL('weigh-index.ts', import.meta.url));

/** Weighed in a process of its own, where nothing else comes and goes. */
export const bytesPerMember = async (members: number): Promise<number> => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', script, String(members)]);
  return Number(stdout) / members;
};
