import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reportNothing } from '@lintel/service/command-line/progress';
import { SdCardPreparationError } from './sd-card-preparation-error.ts';

/** Builds the package into a folder that is deleted when the process ends. */
export const buildControllerPackage = async (report = reportNothing): Promise<string> => {
  const { buildDebianPackage } = await import('../debian-package/build-package.ts');
  const outDir = mkdtempSync(join(tmpdir(), 'lintel-package-'));
  process.once('exit', () => rmSync(outDir, { recursive: true, force: true }));
  try {
    return (await buildDebianPackage({ program: 'controller', arch: 'arm64', outDir, report })).file;
  } catch (error) {
    throw new SdCardPreparationError(
      `the package could not be built: ${(error as Error).message}\nOr give one with --package, see lintel image package`,
    );
  }
};
