import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A release may hold the built files of the console alone. */
const consoleDir = join(import.meta.dirname, '../../../console');

const changedAt = (file: string): number => statSync(file).mtimeMs;

/** In a checkout the sources lie beside the built file and may be newer. */
const isOutdated = (built: string): boolean => {
  const sources = globSync(['build.ts', 'src/**/*'], { cwd: consoleDir }).map(name => join(consoleDir, name));
  if (sources.length === 0) return false;
  return !existsSync(built) || Math.max(...sources.map(changedAt)) > changedAt(built);
};

/** A page of the console as one file, built first where the sources are newer. */
export const readBuiltPage = async (name: string): Promise<string> => {
  const built = join(consoleDir, 'dist', name);
  if (isOutdated(built)) await promisify(execFile)(process.execPath, ['build.ts'], { cwd: consoleDir });
  return readFileSync(built, 'utf8');
};
