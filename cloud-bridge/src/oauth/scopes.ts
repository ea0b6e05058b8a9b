export const scopesSupported = ['full_read_write', 'full_read_only', 'offline'] as const;

/** The scopes that were asked for, each once; a sentence when they make no sense. */
export const checkScopes = (asked: readonly string[]): { scopes: string[] } | { problem: string } => {
  const scopes = [...new Set(asked)];
  const known: readonly string[] = scopesSupported;
  if (scopes.some(scope => !known.includes(scope))) return { problem: `scope knows ${known.join(', ')} only` };
  if (!scopes.some(scope => scope !== 'offline')) return { problem: 'scope needs full_read_write or full_read_only' };
  return { scopes };
};
