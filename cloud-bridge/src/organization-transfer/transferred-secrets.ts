import { BackupError } from '../backup/backup-error.ts';
import { sealedColumns } from '../resources/sealed-columns.ts';
import type { DerivedKeys, MasterKeys } from '../secrets/master-keys.ts';
import { sealSecret, type SealingKeys, unsealSecretIfReadable, unsealSecretWithKeys } from '../secrets/sealing.ts';
import type { TransferredRow } from './transfer-format.ts';

const columnOf = (table: string) => sealedColumns.find(column => column.table === table);

/** Seals the secret of the row with the key of the file. Throws a BackupError for a damaged secret. */
export const resealRowForTransfer = (
  masterKeys: MasterKeys,
  keys: SealingKeys,
  table: string,
  row: TransferredRow,
): TransferredRow => {
  const sealed = columnOf(table);
  if (sealed === undefined) return row;
  const id = String(row[sealed.id]);
  const context = sealed.contextOf(String(row['organization_id']), id);
  const secret = unsealSecretIfReadable(masterKeys, String(row[sealed.column]), context);
  if (secret === null) throw new BackupError(`The secret of ${table} ${id} in the database is damaged.`);
  return { ...row, [sealed.column]: sealSecret(keys, secret, context) };
};

/** Seals the secret of the row with the key of this bridge. The secret is null for tables without one. */
export const resealRowAfterTransfer = (
  fileKeys: SealingKeys,
  keys: DerivedKeys,
  table: string,
  row: TransferredRow,
): { readonly row: TransferredRow; readonly secret: string | null } => {
  const sealed = columnOf(table);
  if (sealed === undefined) return { row, secret: null };
  const context = sealed.contextOf(String(row['organization_id']), String(row[sealed.id]));
  const secret = unsealSecretWithKeys(fileKeys, String(row[sealed.column]), context);
  return { row: { ...row, [sealed.column]: sealSecret(keys, secret, context) }, secret };
};
