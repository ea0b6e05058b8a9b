const codeOf = (error: unknown): unknown => (error as { code?: unknown } | null)?.code;

/** Two that came at the same moment and wanted the same thing: the database let one in. */
export const isUniqueViolation = (error: unknown): boolean =>
  ['23505', 'SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY'].includes(String(codeOf(error)));

/** PostgreSQL gave way to another transaction (serialization failure, deadlock): the same work may succeed now. */
export const isTransient = (error: unknown): boolean => ['40001', '40P01'].includes(String(codeOf(error)));
