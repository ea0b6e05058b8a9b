import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { type BackupCreationOptions, createBackup, type CreatedBackup } from '../backup/create-backup.ts';
import { readBackupArchive } from '../backup/encrypted-archive.ts';
import { createPrivateFileStream } from '../backup/work-folder.ts';
import { createArchivedFileSource, writeVerifiedArchive } from '../backup/write-verified-archive.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';
import { exportOrganization } from '../organization-transfer/export-organization.ts';
import {
  organizationTransferFormat,
  type OrganizationTransferManifest,
} from '../organization-transfer/transfer-format.ts';
import { sealedColumns } from '../resources/sealed-columns.ts';
import { unsealSecret } from '../secrets/sealing.ts';

export { importOrganization } from '../organization-transfer/import-organization.ts';
export type { OrganizationTransferManifest } from '../organization-transfer/transfer-format.ts';

/** The commands use a factor with which each attempt to open a file takes more than a second of processor time. */
const WORK_FACTOR = 4;

/** As `lintel backup`, but the passphrase is checked quickly. */
export const createQuickBackup = (
  options: Pick<BackupCreationOptions, 'dataDir' | 'database' | 'out' | 'now'> & { readonly passphrase: string },
): Promise<CreatedBackup> => createBackup({ ...options, hasKeys: true, workFactor: WORK_FACTOR });

export interface QuickExport {
  readonly services: BridgeServices;
  readonly dataDir: string;
  readonly organizationId: string;
  readonly out: string;
  readonly hasEvents: boolean;
  readonly passphrase: string;
}

/** As `lintel organization export`, but the passphrase is checked quickly. */
export const exportOrganizationQuickly = (options: QuickExport): Promise<unknown> =>
  exportOrganization({ ...options, workFactor: WORK_FACTOR });

/** Writes an export again, after changes to its manifest and to the files in a folder. Returns the path of the new one. */
export const rewriteOrganizationExport = async (
  { file, folder, passphrase }: { readonly file: string; readonly folder: string; readonly passphrase: string },
  change: (manifest: OrganizationTransferManifest, work: string) => OrganizationTransferManifest,
): Promise<string> => {
  const work = mkdtempSync(join(folder, 'work-'));
  const targetOf = (name: string) => createPrivateFileStream(join(work, name));
  const manifest = change(await readBackupArchive(file, organizationTransferFormat, passphrase, { targetOf }), work);
  const files = await Promise.all(
    manifest.files.map(({ path: name }) => createArchivedFileSource(name, join(work, name))),
  );
  const described = files.map(({ path: name, size, sha256 }) => ({ path: name, size, sha256 }));
  const out = join(work, 'changed.export');
  const { name, advice } = organizationTransferFormat;
  const format = {
    name,
    advice,
    parseManifest: (text: string) => JSON.parse(text) as OrganizationTransferManifest,
  };
  const encryption = { passphrase, workFactor: WORK_FACTOR };
  await writeVerifiedArchive(out, format, { ...manifest, files: described }, files, encryption);
  return out;
};

/** All secrets that the bridge has sealed, by `table id`. */
export const readSealedSecrets = async ({
  storage,
  masterKeys,
}: Pick<BridgeServices, 'storage' | 'masterKeys'>): Promise<Record<string, string>> => {
  const secrets: Record<string, string> = {};
  for (const { table, id, column, contextOf } of sealedColumns) {
    const rows: readonly object[] = await storage.reader
      .selectFrom(table as 'member_pins')
      .selectAll()
      .execute();
    for (const values of rows as ReadonlyArray<Record<string, string>>) {
      const context = contextOf(values['organization_id']!, values[id]!);
      secrets[`${table} ${values[id]!}`] = unsealSecret(masterKeys, values[column]!, context);
    }
  }
  return secrets;
};
