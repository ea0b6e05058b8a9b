import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

type Command = 'mosquitto_pub' | 'mosquitto_sub' | 'mosquitto_rr';

export interface MosquittoRun {
  readonly process: ChildProcess;
  readonly output: () => string;
  /** Resolves with the exit code and the whole output. */
  readonly ended: Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;
}

const running = new Set<ChildProcess>();

/** Starts a mosquitto client with the name as client id and username. */
export const mosquitto = (command: Command, port: number, name: string, ...args: readonly string[]): MosquittoRun => {
  const login = args.includes('--cafile') ? [] : ['-u', name, '-P', 'x'];
  const child = spawn(command, ['-h', '127.0.0.1', '-p', String(port), '-i', name, ...login, ...args]);
  running.add(child);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', chunk => {
    stdout += String(chunk);
  });
  child.stderr.on('data', chunk => {
    stderr += String(chunk);
  });
  const ended = once(child, 'close').then(([code]) => {
    running.delete(child);
    return { code: code as number | null, stdout, stderr };
  });
  return { process: child, output: () => stdout, ended };
};

export const killMosquittoClients = async (): Promise<void> => {
  for (const child of running) {
    const closed = once(child, 'close');
    child.kill('SIGKILL');
    await closed;
  }
};
