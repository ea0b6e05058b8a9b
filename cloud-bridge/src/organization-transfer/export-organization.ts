import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { reportNothing } from '@lintel/service/command-line/progress';
import { asCaller } from '@lintel/service/data-folder/folder-owner';
import type { Kysely } from 'kysely';
import type { ArchivedFileSource, BackupArchiveEncryptionOptions } from '../backup/encrypted-archive.ts';
import {
  createArchivedFileSource,
  requireUnusedArchivePath,
  writeVerifiedArchive,
} from '../backup/write-verified-archive.ts';
import { createPrivateFileStream, withBackupWorkFolder } from '../backup/work-folder.ts';
import { createNotFoundError } from '../http/api-error.ts';
import { readAuthorityCheckValue, readMasterKeyCheckValues } from '../secrets/key-check-values.ts';
import type { SealingKeys } from '../secrets/sealing.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';
import { migrationNames } from '../storage/migrate.ts';
import type { Database } from '../storage/schema.ts';
import { runInReadTransaction, readOrganizationRows } from './read-organization-rows.ts';
import {
  toSealingKeys,
  buildTransferTablePath,
  organizationTransferFormat,
  type OrganizationTransferManifest,
} from './transfer-format.ts';
import { resealRowForTransfer } from './transferred-secrets.ts';
import { transferredTables } from './transferred-tables.ts';

export interface OrganizationExportOptions extends BackupArchiveEncryptionOptions {
  readonly services: Pick<BridgeServices, 'storage' | 'masterKeys' | 'clock'>;
  readonly dataDir: string;
  readonly organizationId: string;
  readonly out: string;
  readonly hasEvents: boolean;
}

export interface OrganizationExportResult {
  readonly size: number;
  readonly rows: number;
  readonly manifest: OrganizationTransferManifest;
}

/** Node ends a line at these characters, too. */
const escapeLineSeparators = (json: string): string =>
  json.replaceAll('\u2028', String.raw`\u2028`).replaceAll('\u2029', String.raw`\u2029`);

const writeTables = async (
  { services, organizationId, hasEvents, report = reportNothing }: OrganizationExportOptions,
  db: Kysely<Database>,
  folder: string,
  keys: SealingKeys,
): Promise<{ readonly files: ArchivedFileSource[]; readonly rows: number }> => {
  const { storage, masterKeys } = services;
  const files: ArchivedFileSource[] = [];
  let rows = 0;
  for (const entry of transferredTables) {
    const [table, { replaced, isHistory }] = entry;
    if (isHistory === true && !hasEvents) continue;
    const lines = async function* (): AsyncGenerator<string> {
      for await (const row of readOrganizationRows(db, storage.engine, entry, organizationId)) {
        rows += 1;
        report('Reading rows', rows);
        const sealed = resealRowForTransfer(masterKeys, keys, table, row);
        yield `${escapeLineSeparators(JSON.stringify({ ...sealed, ...replaced }))}\n`;
      }
    };
    const path = buildTransferTablePath(table);
    await pipeline(lines, createPrivateFileStream(join(folder, path)));
    files.push(await createArchivedFileSource(path, join(folder, path)));
  }
  return { files, rows };
};

/**
 * Writes all data of an organization as of one moment into an encrypted file, also while a bridge runs. Throws a
 * BackupError.
 */
export const exportOrganization = (options: OrganizationExportOptions): Promise<OrganizationExportResult> => {
  const { services, dataDir, organizationId, out, hasEvents } = options;
  requireUnusedArchivePath(out);
  return withBackupWorkFolder(dataDir, async folder => {
    const key = randomBytes(32);
    const { manifest, files, rows } = await runInReadTransaction(services.storage, async db => {
      const organization = await db
        .selectFrom('organizations')
        .select(['id', 'name'])
        .where('id', '=', organizationId)
        .where('is_deleted', '=', 0)
        .executeTakeFirst();
      if (organization === undefined) throw createNotFoundError('organization', organizationId);
      const written = await writeTables(options, db, folder, toSealingKeys(key));
      const content: OrganizationTransferManifest = {
        format: 'lintel-organization',
        version: 1,
        created_at: new Date(services.clock()).toISOString(),
        organization,
        has_events: hasEvents,
        migrations: [...migrationNames],
        sealing_key: key.toString('base64'),
        master_key_checks: Object.fromEntries(await readMasterKeyCheckValues(db)),
        authority_fingerprint: await readAuthorityCheckValue(db),
        files: written.files.map(({ path, size, sha256 }) => ({ path, size, sha256 })),
      };
      return { manifest: content, ...written };
    });
    await writeVerifiedArchive(out, organizationTransferFormat, manifest, files, options);
    return { size: asCaller(() => statSync(out)).size, rows, manifest };
  });
};
