import { rejectExtraArguments, requireOption } from '@lintel/service/command-line/command-arguments';
import { openProgressLine } from '@lintel/service/command-line/progress';
import { describeSystemError } from '@lintel/service/command-line/describe-system-error';
import { createBackup } from '../backup/create-backup.ts';
import { parseBridgeCommand, withBridgeData } from './bridge-location.ts';
import { describeContents } from '../backup/archive-manifest.ts';
import { describeDatabase } from '../storage/describe-database.ts';
import { defineBridgeCommand } from './define-bridge-command.ts';
import { BridgeCommandError } from './bridge-command-error.ts';
import { readNewPassphrase } from './read-passphrase.ts';

const usage = `lintel backup --data DIR [--database URL] --out FILE [OPTIONS] [--json]

Writes an encrypted backup of the database, the keys and the releases. Works while the bridge is running or stopped. The
file is read back and verified before it appears. PostgreSQL databases require pg_dump.

  --out FILE              the new file
  --passphrase-file FILE  file with the passphrase, 12 characters or more (default: LINTEL_PASSPHRASE, or asked for)
  --without-keys          leave out master-keys.json, ca.pem and ca-key.pem. Store them elsewhere: without them, PINs are
                          lost and every controller must be claimed again

The file can be opened without Lintel: age -d FILE | zstd -d | tar -x

  npx lintel backup --data .lintel/bridge --out lintel.backup
`;

const options = {
  out: { type: 'string' },
  'passphrase-file': { type: 'string' },
  'without-keys': { type: 'boolean' },
} as const;

export const command = defineBridgeCommand(usage, async (args, streams) => {
  const { values, positionals, locate } = parseBridgeCommand(args, options);
  rejectExtraArguments(positionals, 0);
  const out = requireOption(values.out, 'out');
  const location = locate(streams);
  const hasKeys = values['without-keys'] !== true;
  const passphrase = await readNewPassphrase(values, streams);
  try {
    const creation = { ...location, out, hasKeys, passphrase, now: Date.now() };
    const backup = await withBridgeData(location, 'existing', async () => {
      using progress = openProgressLine({ stderr: streams.stderr, isQuiet: values.json === true });
      return await createBackup({ ...creation, report: progress.report });
    });
    const { file, size, manifest } = backup;
    const { created_at, engine, files, contents } = manifest;
    const paths = files.map(({ path }) => path);
    const document = { file, size, created_at, engine, has_keys: hasKeys, contents, files: paths };
    const keys = hasKeys ? 'with keys' : 'without keys';
    const text = `${file} written and verified: ${describeContents(manifest)} of ${describeDatabase(location.database)}, ${files.length} files ${keys}, ${(size / 1e6).toFixed(1)} MB`;
    streams.stdout.write(values.json === true ? `${JSON.stringify(document)}\n` : `${text}\n`);
    return 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw new BridgeCommandError(`The backup failed. ${describeSystemError(error, out)}`, { cause: error });
  }
});
