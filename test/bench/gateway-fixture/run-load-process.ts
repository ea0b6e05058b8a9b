import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Runs a load generator in a separate process, so that it does not slow down what it measures. */
export const runLoadProcess = async <R>(
  file: 'client-ring-load.ts' | 'event-load.ts',
  settings: object,
): Promise<R> => {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const load = spawn(process.execPath, [path], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(load, 'exit') as Promise<[number | null]>;
  load.stdin.end(JSON.stringify(settings));
  const output = Buffer.concat(await load.stdout.toArray()).toString();
  const [code] = await ended;
  if (code !== 0) throw new Error(`${file} ended with ${code}`);
  return JSON.parse(output) as R;
};
