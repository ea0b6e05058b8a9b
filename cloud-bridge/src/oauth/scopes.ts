export const supportedOAuthScopes = ['full_read_write', 'full_read_only', 'offline'] as const;

/** The requested scopes without duplicates, or the reason why they are invalid. */
export const parseOAuthScopes = (requested: readonly string[]): { scopes: string[] } | { problem: string } => {
  const scopes = [...new Set(requested)];
  const supported: readonly string[] = supportedOAuthScopes;
  if (scopes.some(scope => !supported.includes(scope)))
    return { problem: `scope must be a list of ${supported.join(', ')}` };
  if (!scopes.some(scope => scope !== 'offline'))
    return { problem: 'scope must contain full_read_write or full_read_only' };
  return { scopes };
};
