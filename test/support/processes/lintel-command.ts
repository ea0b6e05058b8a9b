import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { runCommandLine } from '@lintel/service/command-line/run-command-line';
import { lintelCommandLine as program } from '@lintel/cli/lintel-commands';
import { lintelProgramFile } from './bundled-programs.ts';

const home = join(import.meta.dirname, '../../..');

export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `lintel …` as a process until it exits. Slow: only for tests of the process itself. */
export const spawnLintel = (...args: readonly string[]): Promise<CommandResult> =>
  new Promise(resolve => {
    execFile(
      process.execPath,
      [lintelProgramFile, ...args],
      { cwd: home, maxBuffer: 1 << 26 },
      (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr });
      },
    );
  });

/** Runs `lintel …` in this process until it returns, with this text on its stdin. */
export const runLintelWith = async (stdin: string, ...args: readonly string[]): Promise<CommandResult> => {
  const printed = { stdout: '', stderr: '' };
  const writer = (to: 'stdout' | 'stderr') => ({ write: (text: string) => (printed[to] += text) });
  const streams = { stdin: Readable.from([stdin]), stdout: writer('stdout'), stderr: writer('stderr') };
  try {
    const code = await runCommandLine(program, args, streams);
    return { code, ...printed };
  } catch (error) {
    // As Node does with an uncaught error.
    return { code: 1, stdout: printed.stdout, stderr: `${printed.stderr}${(error as Error).stack ?? String(error)}\n` };
  }
};

/** The options that name the data of the bridge. */
export const dataLocation = ({
  dataDir,
  database,
}: {
  readonly dataDir: string;
  readonly database: string | undefined;
}) => ['--data', dataDir, ...(database === undefined ? [] : ['--database', database])] as const;

/** Runs `lintel …` in this process until it returns, without a terminal and with an empty stdin. */
export const runLintel = (...args: readonly string[]): Promise<CommandResult> => runLintelWith('', ...args);
