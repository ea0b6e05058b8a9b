const codeOf = (error: unknown): unknown => (error as { code?: unknown } | null)?.code;

/** True when a concurrent write has already inserted the same unique value. */
export const isUniqueViolation = (error: unknown): boolean =>
  ['23505', 'SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY'].includes(String(codeOf(error)));

/** True for a PostgreSQL serialization failure or deadlock. A retry may succeed. */
export const isTransientDatabaseError = (error: unknown): boolean => ['40001', '40P01'].includes(String(codeOf(error)));
