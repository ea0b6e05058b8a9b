import { describe, expect, it } from 'vitest';
import { checkOAuthScopes } from './scopes.ts';

describe('checkOAuthScopes', () => {
  it('returns each scope once, in the given order', () => {
    expect(checkOAuthScopes(['offline', 'full_read_only', 'offline'])).toEqual({
      scopes: ['offline', 'full_read_only'],
    });
  });

  it.each([[[]], [['offline']], [['full_read_write', 'admin']], [['FULL_READ_ONLY']], [['']]])('rejects %j', scopes => {
    expect(checkOAuthScopes(scopes)).toHaveProperty('problem');
  });
});
