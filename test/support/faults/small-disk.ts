import { spawnSync } from 'node:child_process';
import { chmodSync, closeSync, cpSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'vitest';

const run = (command: string, ...args: readonly string[]): boolean => spawnSync(command, args).status === 0;

/** A mounted tmpfs that is small enough to be filled. */
export class SmallDisk {
  readonly folder = mkdtempSync(join(tmpdir(), 'lintel-disk-'));
  readonly #filling = join(this.folder, 'filling');

  private constructor(megabytes: number) {
    if (!run('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', this.folder)) {
      rmSync(this.folder, { recursive: true });
      throw new Error('A small tmpfs cannot be mounted');
    }
  }

  /** Skips the test without root, which mounting requires. With CI=true, where tests run as root, the test fails instead. */
  static mounted(context: TestContext, megabytes: number): SmallDisk {
    const isRoot = process.getuid?.() === 0;
    if (!isRoot && process.env['CI'] !== 'true') context.skip('filling a disk requires root, to mount a small one');
    return new SmallDisk(megabytes);
  }

  /** Null without the right to mount. */
  static tryMount(megabytes: number): SmallDisk | null {
    return process.getuid?.() === 0 ? new SmallDisk(megabytes) : null;
  }

  /** Copies a directory to this disk. */
  copyOf(folder: string): string {
    const copy = join(this.folder, 'data');
    cpSync(folder, copy, { recursive: true });
    chmodSync(copy, 0o700);
    return copy;
  }

  /** Fills the disk to the last byte. */
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
