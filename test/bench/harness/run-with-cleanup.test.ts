import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { withCleanup } from './run-with-cleanup.ts';

const program = (folder: string): string => `
import { rmSync } from 'node:fs';
import { withCleanup } from ${JSON.stringify(pathToFileURL(join(import.meta.dirname, './run-with-cleanup.ts')).href)};
await withCleanup(async outer => {
  outer(() => rmSync(${JSON.stringify(folder)}, { recursive: true }));
  await withCleanup(async inner => {
    const { promise, reject } = Promise.withResolvers();
    const timer = setTimeout(reject, 60_000);
    inner(() => {
      clearTimeout(timer);
      reject(new Error('The database is gone'));
      return new Promise(resolve => setTimeout(resolve, 50));
    });
    console.log('running');
    await promise;
  });
});`;

describe('withCleanup', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('deletes the data of a benchmark on %s', async signal => {
    const folder = mkdtempSync(join(tmpdir(), 'lintel-cleanup-'));
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program(folder)]);
    const exited = once(child, 'exit');
    await once(child.stdout, 'data');
    child.kill(signal);
    expect(await exited).toEqual([130, null]);
    expect(existsSync(folder)).toBe(false);
  });

  it('cleans up after an error, last first', async () => {
    const steps: string[] = [];
    const failing = withCleanup(async defer => {
      defer(() => steps.push('first'));
      defer(() => steps.push('second'));
      throw new Error('failed');
    });
    await expect(failing).rejects.toThrow('failed');
    expect(steps).toEqual(['second', 'first']);
  });
});
