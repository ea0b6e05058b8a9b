import { spawnSync } from 'node:child_process';
import { closeSync, cpSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'vitest';

const run = (command: string, ...args: readonly string[]): boolean => spawnSync(command, args).status === 0;

/** A disk of its own in memory, small enough to be filled. */
export class SmallDisk {
  readonly folder = mkdtempSync(join(tmpdir(), 'lintel-disk-'));
  readonly #filling = join(this.folder, 'filling');

  private constructor(megabytes: number) {
    if (!run('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', this.folder)) {
      rmSync(this.folder, { recursive: true });
      throw new Error('a small disk cannot be mounted');
    }
  }

  /** Skips aloud where nobody may mount one; under CI, where the tests run as root, that is a failure. */
  static mounted(context: TestContext, megabytes: number): SmallDisk {
    const isRoot = process.getuid?.() === 0;
    if (!isRoot && process.env['CI'] !== 'true') context.skip('filling a real disk takes root, to mount one');
    return new SmallDisk(megabytes);
  }

  /** What is in the folder, on this disk. */
  copyOf(folder: string): string {
    const copy = join(this.folder, 'data');
    cpSync(folder, copy, { recursive: true });
    return copy;
  }

  /** To the last byte. */
  fill(): void {
    const file = openSync(this.#filling, 'a');
    for (const size of [65_536, 4096, 1]) {
      const piece = Buffer.alloc(size);
      try {
        while (writeSync(file, piece) === size);
      } catch {
        // Full, for pieces of this size.
      }
    }
    closeSync(file);
  }

  free(): void {
    rmSync(this.#filling, { force: true });
  }

  unmount(): void {
    run('umount', '-l', this.folder);
    rmSync(this.folder, { recursive: true, force: true });
  }
}
