import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { buildHostToolPath } from './image-build-host-tools.ts';

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** Called with each line of stderr. */
  readonly onLine?: (line: string) => void;
}

const SHOWN_LINES = 15;

/** Runs a program of the host to its end. Throws with its last lines when it fails. */
export const runHostProgram = (program: string, args: readonly string[], options: RunOptions = {}): Promise<void> =>
  new Promise((resolve, reject) => {
    const env = { ...process.env, PATH: buildHostToolPath(), LC_ALL: 'C.UTF-8', ...options.env };
    const child = spawn(program, args, { env, stdio: ['pipe', 'ignore', 'pipe'] });
    const lastLines: string[] = [];
    createInterface({ input: child.stderr }).on('line', line => {
      options.onLine?.(line);
      lastLines.push(line);
      if (lastLines.length > SHOWN_LINES) lastLines.shift();
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`${program} ended with ${signal ?? String(code)}: ${lastLines.join('\n').trim()}`));
    });
    // A program that ends before it has read its input reports why by itself.
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.input);
  });
