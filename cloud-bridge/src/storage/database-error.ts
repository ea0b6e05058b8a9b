import { getErrorCode } from '@lintel/service/error-code';
import { classifyStorageError } from '@lintel/service/sqlite/storage-error';

/** True when a concurrent write has already inserted the same unique value. */
export const isUniqueViolation = (error: unknown): boolean =>
  ['23505', 'SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY'].includes(getErrorCode(error));

/** True for a PostgreSQL serialization failure, deadlock or lock timeout. A retry may succeed. */
export const isTransientDatabaseError = (error: unknown): boolean =>
  ['40001', '40P01', '55P03'].includes(getErrorCode(error));

const POSTGRES_DISK_FULL = '53100';

/** True when the disk of the database has no space left. */
export const isStorageFullError = (error: unknown): boolean =>
  classifyStorageError(error) === 'full' || getErrorCode(error) === POSTGRES_DISK_FULL;

/** Also of a disk that is read-only, or that reports errors, and of damaged files. */
const FAILING_SQLITE = /^SQLITE_(?:IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB)/;
/** An I/O error, or a damaged table or index. */
const FAILING_POSTGRES = /^(?:58\w{3}|XX00[12])$/;

/** True when the database cannot use its files, although the disk has space. */
export const isStorageFailingError = (error: unknown): boolean => {
  const code = getErrorCode(error);
  return FAILING_SQLITE.test(code) || FAILING_POSTGRES.test(code);
};

/** True when the same work may succeed as soon as the disk is right again. Damage does not heal. */
export const isStorageOutageError = (error: unknown): boolean => {
  if (isStorageFullError(error)) return true;
  return isStorageFailingError(error) && !/^(?:SQLITE_CORRUPT|SQLITE_NOTADB|XX)/.test(getErrorCode(error));
};

/** The database server cannot be reached at the moment. Requests may be repeated later. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';
}

/** Errors of the network and of a PostgreSQL server that stops, starts, is out of connections or became a standby. */
const UNAVAILABLE_CODE =
  /^(?:ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|08\w{3}|57P0[1-5]|53300|25006)$/;
/** The driver reports the loss of a connection without a code. */
const UNAVAILABLE_MESSAGE =
  /^Connection terminated|not queryable|Client was closed|timeout exceeded when trying to connect/;

/** For errors of the PostgreSQL driver only: other network clients have the same codes. */
export const isDatabaseConnectionLoss = (error: unknown): boolean =>
  UNAVAILABLE_CODE.test(getErrorCode(error)) || UNAVAILABLE_MESSAGE.test((error as Error | null)?.message ?? '');
