import { describe, expect, it } from 'vitest';
import { checkScopes } from './scopes.ts';

describe('checkScopes', () => {
  it('returns each scope once, in the given order', () => {
    expect(checkScopes(['offline', 'full_read_only', 'offline'])).toEqual({ scopes: ['offline', 'full_read_only'] });
  });

  it.each([[[]], [['offline']], [['full_read_write', 'admin']], [['FULL_READ_ONLY']], [['']]])('rejects %j', scopes => {
    expect(checkScopes(scopes)).toHaveProperty('problem');
  });
});
