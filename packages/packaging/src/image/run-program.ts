import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: Uint8Array;
  /** Each line that the program says on its way. */
  readonly onLine?: (line: string) => void;
}

const SHOWN_LINES = 15;

/** Runs a program of the system to its end and answers what it printed. Throws with the last that it said. */
export const runProgram = (program: string, args: readonly string[], options: RunOptions = {}): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { env: { ...process.env, LC_ALL: 'C.UTF-8', ...options.env } });
    const printed: Buffer[] = [];
    const said: string[] = [];
    child.stdout.on('data', (bytes: Buffer) => printed.push(bytes));
    createInterface({ input: child.stderr }).on('line', line => {
      options.onLine?.(line);
      said.push(line);
      if (said.length > SHOWN_LINES) said.shift();
    });
    child.on('error', error =>
      reject((error as NodeJS.ErrnoException).code === 'ENOENT' ? new Error(`${program} is not installed`) : error),
    );
    child.on('close', (code, signal) => {
      if (code === 0) resolve(Buffer.concat(printed));
      else reject(new Error(`${program} ended with ${signal ?? String(code)}: ${said.join('\n').trim()}`));
    });
    // A program that ends before it has read everything says why by itself.
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.input);
  });
