import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildDebianPackage, type BuiltDebianPackage, type DebianPackageOptions } from '@lintel/packaging/testing';
import type { TestContext } from 'vitest';
import { requireProgram } from '../require-program.ts';

const folder = mkdtempSync(join(tmpdir(), 'lintel-package-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

const built = new Map<string, Promise<BuiltDebianPackage>>();

/** Skips the test when npm's registry cannot be reached. With CI=true that is a failure. */
export const requireNpm = async <T>(context: TestContext, work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    const { message } = error as Error;
    if (process.env['CI'] === 'true' || !message.startsWith('npm cannot download')) throw error;
    return context.skip(message);
  }
};

/** Builds the package once per worker. */
export const requirePackage = async (
  context: TestContext,
  wanted: Pick<DebianPackageOptions, 'program' | 'arch'>,
): Promise<BuiltDebianPackage> => {
  requireProgram(context, { command: 'dpkg-deb', install: 'apt-get install dpkg' });
  const name = `${wanted.program} ${wanted.arch}`;
  const building = built.get(name) ?? buildDebianPackage({ ...wanted, outDir: folder });
  built.set(name, building);
  return requireNpm(context, building);
};

export const dpkgDeb = async (...args: readonly string[]): Promise<string> =>
  (await promisify(execFile)('dpkg-deb', [...args], { maxBuffer: 1 << 26 })).stdout;

const unpacked = new Map<string, Promise<string>>();

/** Unpacks the package into a folder that stands for `/`. */
export const unpack = ({ file, sha256 }: BuiltDebianPackage): Promise<string> => {
  const root = join(folder, sha256);
  const unpacking = unpacked.get(sha256) ?? dpkgDeb('-x', file, root).then(() => root);
  unpacked.set(sha256, unpacking);
  return unpacking;
};
