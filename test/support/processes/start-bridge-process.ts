import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { lintelProgramFile } from './bundled-programs.ts';

const home = join(import.meta.dirname, '../../..');

export interface RunningBridge {
  readonly process: ChildProcess;
  readonly ready: Readonly<Record<string, string>>;
  readonly log: () => string;
  /** Resolves with the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts `lintel bridge` as a process and waits for its ready line. */
export const startBridge = async (dataDir: string, ...args: readonly string[]): Promise<RunningBridge> => {
  const ports = ['--http-port', '0', '--mqtt-port', '0'];
  const child = spawn(process.execPath, [lintelProgramFile, 'bridge', '--data', dataDir, ...ports, ...args], {
    cwd: home,
  });
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
      if (child.exitCode !== null) return child.exitCode;
      const exited = once(child, 'exit') as Promise<[number | null]>;
      child.kill(signal);
      return (await exited)[0];
    },
  };
};
