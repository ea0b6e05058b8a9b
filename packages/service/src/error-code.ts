/** The `code` of a system or database error, such as ENOENT. Empty when it has none. */
export const getErrorCode = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : '';
