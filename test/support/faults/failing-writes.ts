import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RequiredProgram } from '../require-program.ts';

export const compiler: RequiredProgram = { command: 'gcc', install: 'apt-get install gcc libc6-dev' };

/** Makes all writes of a process below a folder fail with EIO, as on a dying disk. */
export class FailingWrites {
  readonly #home = mkdtempSync(join(tmpdir(), 'lintel-failing-'));
  readonly #library = join(this.#home, 'failing-writes.so');
  readonly #flag = join(this.#home, 'flag');
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    const source = join(import.meta.dirname, 'failing-writes.c');
    execFileSync(compiler.command, ['-shared', '-fPIC', '-o', this.#library, source, '-ldl']);
  }

  /** Of the process. */
  get environment(): NodeJS.ProcessEnv {
    return { LD_PRELOAD: this.#library, FAILING_FOLDER: this.#folder, FAILING_FLAG: this.#flag };
  }

  begin(): void {
    writeFileSync(this.#flag, '');
  }

  end(): void {
    rmSync(this.#flag, { force: true });
  }

  close(): void {
    rmSync(this.#home, { recursive: true });
  }
}
