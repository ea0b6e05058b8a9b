import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Runs one of the loads in a process of its own, so that who measures is not who is measured. */
export const runLoad = async <R>(file: 'ring-load.ts' | 'event-load.ts', order: object): Promise<R> => {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const load = spawn(process.execPath, [path], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(load, 'exit') as Promise<[number | null]>;
  load.stdin.end(JSON.stringify(order));
  const said = Buffer.concat(await load.stdout.toArray()).toString();
  const [code] = await ended;
  if (code !== 0) throw new Error(`${file} ended with ${code}`);
  return JSON.parse(said) as R;
};
