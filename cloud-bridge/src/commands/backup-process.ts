import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

interface BackupProcessOptions {
  readonly dataDir: string;
  readonly database: string | undefined;
  readonly passphraseFile: string;
}

/** Runs `lintel backup` in a process of its own, so that encryption does not delay requests. */
export const createBackupProcessRunner =
  ({ dataDir, database, passphraseFile }: BackupProcessOptions) =>
  async (file: string, signal: AbortSignal): Promise<void> => {
    const { LINTEL_DATABASE: _, ...environment } = process.env;
    const args = ['backup', '--data', dataDir, '--out', file, '--passphrase-file', passphraseFile];
    const child = spawn(process.execPath, [...process.execArgv, process.argv[1]!, ...args], {
      // Not an argument, because it may contain a password.
      env: database === undefined ? environment : { ...environment, LINTEL_DATABASE: database },
      stdio: ['ignore', 'ignore', 'pipe'],
      signal,
    });
    const output = text(child.stderr);
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0) throw new Error((await output).trim() || `lintel backup ended with code ${code}`);
  };
