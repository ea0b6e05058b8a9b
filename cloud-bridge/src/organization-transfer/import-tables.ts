import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ReportProgress } from '@lintel/service/command-line/progress';
import { type Kysely, sql } from 'kysely';
import { BackupError } from '../backup/backup-error.ts';
import { insertPinReservations } from '../resources/pin-reservations.ts';
import type { DerivedKeys } from '../secrets/master-keys.ts';
import { isUniqueViolation } from '../storage/database-error.ts';
import type { Database } from '../storage/schema.ts';
import type { TransferredRowConverter } from './row-converter.ts';
import { buildTransferTablePath, type TransferredRow } from './transfer-format.ts';
import { type DatabaseTableName, transferredTables } from './transferred-tables.ts';

const ROWS_PER_INSERT = 200;

async function* readBatches(file: string): AsyncGenerator<TransferredRow[]> {
  let batch: TransferredRow[] = [];
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    batch.push(JSON.parse(line) as TransferredRow);
    if (batch.length < ROWS_PER_INSERT) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

export interface TableImportContext {
  readonly db: Kysely<Database>;
  /** Contains the files of the archive. */
  readonly folder: string;
  readonly organizationId: string;
  readonly keys: DerivedKeys;
  readonly converter: TransferredRowConverter;
}

const insertRows = async (
  { db, organizationId }: TableImportContext,
  table: DatabaseTableName,
  rows: readonly TransferredRow[],
): Promise<number> => {
  if (rows.length === 0) return 0;
  const insert = db.insertInto(table as 'members').values(rows as never);
  try {
    return Number((await insert.executeTakeFirst()).numInsertedOrUpdatedRows);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    const found = table === 'organizations' ? organizationId : `some of the ${table} of ${organizationId}`;
    throw new BackupError(`This bridge already has ${found}.`, { cause: error });
  }
};

/** Computes the reservations from the digits of the PINs, because they depend on the key of the bridge. */
const insertReservations = async (
  { db, keys, organizationId, converter }: TableImportContext,
  rows: readonly TransferredRow[],
): Promise<number> => {
  const pins = rows.map(({ pin_id }) => {
    const digits = converter.pins.get(String(pin_id));
    if (digits === undefined) throw new BackupError(`The file lacks the PIN ${pin_id}.`);
    return { id: String(pin_id), digits };
  });
  await insertPinReservations(db, keys, organizationId, pins);
  return pins.length;
};

const importBatch = async (
  tableImport: TableImportContext,
  table: DatabaseTableName,
  batch: readonly TransferredRow[],
): Promise<number> => {
  if (table === 'pin_claims') return insertReservations(tableImport, batch);
  const rows: TransferredRow[] = [];
  for (const read of batch) {
    const row = await tableImport.converter.convert(table, read);
    if (row !== null) rows.push(row);
  }
  return insertRows(tableImport, table, rows);
};

/** Throws a BackupError for rows that exist already. Returns the number of inserted rows by table. */
export const importTransferredTables = async (
  tableImport: TableImportContext,
  report: ReportProgress,
): Promise<ReadonlyMap<DatabaseTableName, number>> => {
  let read = 0;
  const counts = new Map<DatabaseTableName, number>();
  for (const [table] of transferredTables) {
    const file = join(tableImport.folder, buildTransferTablePath(table));
    let count = 0;
    if (existsSync(file))
      for await (const batch of readBatches(file)) {
        count += await importBatch(tableImport, table, batch);
        read += batch.length;
        report('Importing rows', read);
      }
    counts.set(table, count);
  }
  return counts;
};

/**
 * Throws a BackupError if the file has added rows to another organization. Accounts that existed count as rows of the
 * organization. Passkeys are added with a new account only.
 */
export const verifyTransferredOwnership = async (
  { db, organizationId, converter }: TableImportContext,
  inserted: ReadonlyMap<DatabaseTableName, number>,
): Promise<void> => {
  for (const [table, { rowsOf }] of transferredTables) {
    if (table === 'passkeys') continue;
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}
      where ${rowsOf(organizationId)}`.execute(db);
    const expected = inserted.get(table)! + (table === 'users' ? converter.reusedUserIds.size : 0);
    if (rows[0]!.count !== expected)
      throw new BackupError(`The file contains ${table} that do not belong to ${organizationId}.`);
  }
};
