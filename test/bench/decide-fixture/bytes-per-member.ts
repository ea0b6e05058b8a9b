import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const script = fileURLToPath(new URL('measure-index-memory.ts', import.meta.url));

/** Measured in a separate process that allocates nothing else. */
export const bytesPerMember = async (members: number): Promise<number> => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', script, String(members)]);
  return Number(stdout) / members;
};
