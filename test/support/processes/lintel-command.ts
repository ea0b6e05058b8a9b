import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const home = join(import.meta.dirname, '../../..');
const lintel = join(home, 'lintel.ts');

export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** `lintel …` to its end, as a shell would call it. */
export const runLintel = (...args: readonly string[]): Promise<Finished> =>
  new Promise(resolve => {
    execFile(process.execPath, [lintel, ...args], { cwd: home, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr });
    });
  });

export interface RunningBridge {
  readonly process: ChildProcess;
  readonly ready: Readonly<Record<string, string>>;
  readonly log: () => string;
  /** Answers the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** A bridge as a process of its own, from its ready line on. */
export const startBridge = async (dataDir: string, ...args: readonly string[]): Promise<RunningBridge> => {
  const ports = ['--http-port', '0', '--mqtt-port', '0'];
  const child = spawn(process.execPath, [lintel, 'bridge', '--data', dataDir, ...ports, ...args], { cwd: home });
  let log = '';
  child.stderr.on('data', chunk => {
    log += String(chunk);
  });
  const [line] = (await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`the bridge ended with ${String(code)} before it was ready: ${log}`);
    }),
  ])) as [string];
  return {
    process: child,
    ready: JSON.parse(line) as Record<string, string>,
    log: () => log,
    stop: async (signal = 'SIGTERM') => {
      const exited = once(child, 'exit') as Promise<[number | null]>;
      child.kill(signal);
      return (await exited)[0];
    },
  };
};
