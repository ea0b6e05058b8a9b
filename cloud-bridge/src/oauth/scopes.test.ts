import { describe, expect, it } from 'vitest';
import { parseOAuthScopes } from './scopes.ts';

describe('parseOAuthScopes', () => {
  it('returns each scope once, in the given order', () => {
    expect(parseOAuthScopes(['offline', 'full_read_only', 'offline'])).toEqual({
      scopes: ['offline', 'full_read_only'],
    });
  });

  it.each([[[]], [['offline']], [['full_read_write', 'admin']], [['FULL_READ_ONLY']], [['']]])('rejects %j', scopes => {
    expect(parseOAuthScopes(scopes)).toHaveProperty('problem');
  });
});
