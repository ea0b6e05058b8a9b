import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { getErrorCode } from '@lintel/service/error-code';
import { BackupError } from './backup-error.ts';

interface Connection {
  /** The URL without its password, because other users see the arguments of a process. */
  readonly url: string;
  readonly environment: NodeJS.ProcessEnv;
}

const connectionOf = (database: string): Connection => {
  const url = new URL(database);
  const password = url.searchParams.get('password') ?? decodeURIComponent(url.password);
  url.password = '';
  url.searchParams.delete('password');
  return { url: url.href, environment: password === '' ? process.env : { ...process.env, PGPASSWORD: password } };
};

const installAdvice = (tool: string): string =>
  `Install the PostgreSQL client programs in the version of the server, such as: apt install postgresql-client. Or run ${tool} on another machine`;

const describeFailure = (tool: string, output: string): string => {
  const lines = output.trim().split('\n');
  const reason = lines.find(line => line.includes('error:'))?.replace(/^.*?error:\s*/, '') ?? lines.at(-1) ?? '';
  const advice = output.includes('server version mismatch') ? ` ${installAdvice(tool)}.` : '';
  return `${tool} failed: ${reason}.${advice}`;
};

const runTool = async (tool: string, database: string, args: readonly string[], manual: string): Promise<void> => {
  const { url, environment } = connectionOf(database);
  const child = spawn(
    tool,
    [...args, '--dbname', url, '--no-password'].filter(arg => arg !== ''),
    {
      env: environment,
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  const output = text(child.stderr);
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0) throw new BackupError(describeFailure(tool, await output));
  } catch (error) {
    if (getErrorCode(error) !== 'ENOENT') throw error;
    throw new BackupError(`${tool} is not installed. ${installAdvice(tool)}: ${manual}`, { cause: error });
  }
};

export const dumpPostgres = (database: string, file: string): Promise<void> =>
  runTool(
    'pg_dump',
    database,
    ['--format=custom', '--compress=0', '--no-owner', '--no-privileges', `--file=${file}`],
    'pg_dump --format=custom --no-owner --file=lintel.dump URL, and copy the data folder',
  );

/** Restores everything or nothing. The database must be empty. */
export const restorePostgres = (database: string, file: string): Promise<void> =>
  runTool(
    'pg_restore',
    database,
    ['--no-owner', '--no-privileges', '--single-transaction', '--exit-on-error', file],
    'decrypt the backup with age -d FILE | zstd -d | tar -x, and run pg_restore --no-owner --dbname URL database.dump',
  );
