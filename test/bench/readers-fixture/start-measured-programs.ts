import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startLatencyMeter } from './start-latency-meter.ts';

type Terminals = Pick<Awaited<ReturnType<typeof startLatencyMeter>>, 'reader' | 'relay'>;
export type MeasuredProgram = Awaited<ReturnType<typeof startWithMeter>>;

const fixture = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Resolves when the program prints that it is ready. */
const start = async (command: string, args: readonly string[]) => {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const first = await Promise.race([once(child.stdout, 'data'), ended.then(() => null)]);
  if (first === null) throw new Error(`${args.join(' ')} ended before it was ready`);
  return async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
};

/** Starts a program between a reader line and a relay line, with a latency meter. */
const startWithMeter = async (command: string, args: (terminals: Terminals) => readonly string[]) => {
  const meter = await startLatencyMeter();
  const end = await start(command, args(meter));
  return {
    times: meter.times,
    end: async (): Promise<void> => {
      await end();
      await meter.stop();
    },
  };
};

export const withCpusAwake = async <T>(work: () => Promise<T>): Promise<T> => {
  const stopKeepingAwake = await start('python3', ['-I', fixture('keep-cpus-awake.py')]);
  try {
    return await work();
  } finally {
    await stopKeepingAwake();
  }
};

/** Only forwards bytes: the cost of the terminals and of process switches. */
export const startEcho = () =>
  startWithMeter('python3', ({ reader, relay }) => ['-I', fixture('serial-echo.py'), reader, relay]);

/** Also writes one row to the disk and flushes it: the cost of the disk. */
export const startFlushedEcho = (file: string) =>
  startWithMeter('python3', ({ reader, relay }) => ['-I', fixture('serial-echo.py'), reader, relay, file]);

/** The complete firmware, which flushes its event to the disk before the relay switches. */
export const startFirmware = (dataDir: string) =>
  startWithMeter(process.execPath, ({ reader, relay }) => [fixture('controller-process.ts'), reader, relay, dataDir]);

/** A Node-RED flow that checks the card among the same members and flushes its event before the relay switches. */
export const startNodeRed = (installation: string, folder: string) =>
  startWithMeter(process.execPath, ({ reader, relay }) => [
    fixture('node-red-process.ts'),
    reader,
    relay,
    installation,
    folder,
  ]);
