import { rejectExtraArguments, requireOption } from '@lintel/service/command-line/command-arguments';
import { openProgressLine } from '@lintel/service/command-line/progress';
import { describeSystemError } from '@lintel/service/command-line/describe-system-error';
import { asFolderOwner } from '@lintel/service/data-folder/folder-owner';
import { describeContents } from '../backup/archive-manifest.ts';
import { restoreBackup } from '../backup/restore-backup.ts';
import { requireCreatableFolder, parseBridgeCommand } from './bridge-location.ts';
import { defineBridgeCommand } from './define-bridge-command.ts';
import { BridgeCommandError } from './bridge-command-error.ts';
import { readExistingPassphrase } from './read-passphrase.ts';

const usage = `lintel restore FILE --data DIR [--database URL] [OPTIONS] [--json]

Restores a backup of lintel backup. Verifies the whole file before it changes anything. Stop the bridge first.

  --data DIR              an empty folder; for a backup without keys, it may contain the key files of the bridge
  --database URL          an empty PostgreSQL database, for a backup of PostgreSQL. Requires pg_restore
  --passphrase-file FILE  file with the passphrase (default: LINTEL_PASSPHRASE, or asked for)

  npx lintel restore lintel.backup --data .lintel/restored
`;

const options = {
  'passphrase-file': { type: 'string' },
} as const;

export const command = defineBridgeCommand(usage, async (args, streams) => {
  const { values, positionals, locate } = parseBridgeCommand(args, options);
  rejectExtraArguments(positionals, 1);
  const file = requireOption(positionals[0], 'FILE');
  const location = locate(streams);
  const { dataDir, database } = location;
  requireCreatableFolder(location);
  const passphrase = await readExistingPassphrase(values, streams);
  try {
    const manifest = await asFolderOwner(dataDir, async () => {
      using progress = openProgressLine({ stderr: streams.stderr, isQuiet: values.json === true });
      return await restoreBackup({ file, dataDir, database, passphrase, report: progress.report });
    });
    const { created_at, engine, has_keys, files, contents } = manifest;
    const document = { data: dataDir, created_at, engine, has_keys, contents, files: files.map(({ path }) => path) };
    const next = has_keys
      ? 'Start the bridge.'
      : 'Copy master-keys.json, ca.pem and ca-key.pem into the folder, then start the bridge.';
    const text = `Backup of ${created_at} with ${describeContents(manifest)} restored to ${dataDir}. ${next}`;
    streams.stdout.write(values.json === true ? `${JSON.stringify(document)}\n` : `${text}\n`);
    return 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw new BridgeCommandError(`The restore failed. ${describeSystemError(error, file)}`, { cause: error });
  }
});
