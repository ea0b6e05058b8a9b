import { joinWords } from '@lintel/access-core/problem-texts';

export const supportedOAuthScopes = ['full_read_write', 'full_read_only', 'offline'] as const;

/** The requested scopes without duplicates, or the reason why they are invalid. */
export const parseOAuthScopes = (requested: readonly string[]): { scopes: string[] } | { problem: string } => {
  const scopes = [...new Set(requested)];
  const supported: readonly string[] = supportedOAuthScopes;
  if (scopes.some(scope => !supported.includes(scope)))
    return { problem: `must have only ${joinWords(supported)}, separated by spaces` };
  if (!scopes.some(scope => scope !== 'offline')) return { problem: 'must have full_read_write or full_read_only' };
  return { scopes };
};
