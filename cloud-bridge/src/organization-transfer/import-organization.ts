import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type ReportProgress, reportNothing } from '@lintel/service/command-line/progress';
import { asCaller } from '@lintel/service/data-folder/folder-owner';
import { readBackupArchive } from '../backup/encrypted-archive.ts';
import { BackupError } from '../backup/backup-error.ts';
import { type ReadFreeBytes, requireFreeSpace } from '../backup/free-space.ts';
import { createPrivateFileStream, withBackupWorkFolder } from '../backup/work-folder.ts';
import { countClaimedDevices } from '../resources/device-certificates.ts';
import { unclaimAllDevices } from '../resources/unclaim-all-devices.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';
import { migrationNames } from '../storage/migrate.ts';
import { importTransferredTables, verifyTransferredOwnership } from './import-tables.ts';
import { type NamedOAuthApplication, TransferredRowConverter } from './row-converter.ts';
import { organizationTransferFormat, type OrganizationTransferManifest } from './transfer-format.ts';

export interface OrganizationImportOptions {
  readonly services: Pick<BridgeServices, 'storage' | 'masterKeys' | 'clock' | 'authority'>;
  readonly dataDir: string;
  readonly file: string;
  readonly passphrase: string;
  readonly freeBytes?: ReadFreeBytes;
  readonly report?: ReportProgress;
}

export interface OrganizationImportResult {
  readonly manifest: OrganizationTransferManifest;
  readonly rows: number;
  /** Number of users whose account this bridge already had. */
  readonly reusedUsers: number;
  /** Controllers and gateways that were claimed, and whether they still are. */
  readonly claimedDevices: number;
  readonly areClaimsKept: boolean;
  /** Applications of the organization that need a new client secret. */
  readonly applicationsWithoutSecret: readonly NamedOAuthApplication[];
  /** Applications of other organizations that this bridge does not have. */
  readonly unknownApplicationIds: readonly string[];
}

const checkVersion = ({ migrations }: OrganizationTransferManifest): void => {
  if (migrations.some(name => !migrationNames.includes(name)))
    throw new BackupError('The organization was exported by a newer version. Update this program, then import.');
  if (migrations.length < migrationNames.length)
    throw new BackupError('The organization was exported by an older version. Update the other bridge, then export.');
};

const insertOrganization = async (
  { storage, masterKeys, clock, authority }: OrganizationImportOptions['services'],
  folder: string,
  manifest: OrganizationTransferManifest,
  report: ReportProgress,
): Promise<OrganizationImportResult> => {
  const organizationId = manifest.organization.id;
  const { authority_fingerprint } = manifest;
  // Opened before the transaction, because it may write to the database.
  const areClaimsKept = authority_fingerprint !== null && (await authority()).fingerprint === authority_fingerprint;
  const keys = masterKeys.derivedKeys(masterKeys.currentVersion);
  return storage.writer.transaction().execute(async db => {
    const converter = new TransferredRowConverter({ db, manifest, masterKeys, keys });
    const tableImport = { db, folder, organizationId, keys, converter };
    const counts = await importTransferredTables(tableImport, report);
    if (counts.get('organizations') !== 1)
      throw new BackupError(`The file does not contain the organization ${organizationId}. Export it again.`);
    await verifyTransferredOwnership(tableImport, counts);
    const claimedDevices = await countClaimedDevices(db, organizationId);
    if (!areClaimsKept) await unclaimAllDevices({ db, organizationId, now: clock() });
    return {
      manifest,
      rows: counts.values().reduce((sum, count) => sum + count, 0),
      reusedUsers: converter.reusedUserIds.size,
      claimedDevices,
      areClaimsKept,
      applicationsWithoutSecret: converter.applicationsWithoutSecret,
      unknownApplicationIds: converter.unknownApplicationIds,
    };
  });
};

/**
 * Adds an exported organization in one transaction, also while a bridge runs. Verifies the whole file first. Throws a
 * BackupError.
 */
export const importOrganization = ({
  services,
  dataDir,
  file,
  passphrase,
  freeBytes,
  report = reportNothing,
}: OrganizationImportOptions): Promise<OrganizationImportResult> => {
  if (!asCaller(() => existsSync(file))) throw new BackupError(`${file} does not exist.`);
  return withBackupWorkFolder(dataDir, async folder => {
    const manifest = await readBackupArchive(file, organizationTransferFormat, passphrase, {
      onManifest: found => {
        checkVersion(found);
        requireFreeSpace(folder, found.files, freeBytes);
      },
      targetOf: path => createPrivateFileStream(join(folder, path)),
      report,
    });
    return insertOrganization(services, folder, manifest, report);
  });
};
