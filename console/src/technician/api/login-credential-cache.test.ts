import { describe, expect, it } from 'vitest';
import { LoginCredentialCache } from './login-credential-cache.ts';

const HALF_HOUR = 30 * 60_000;

describe('LoginCredentialCache', () => {
  it('returns the credential of the last login after a restart of the controller', () => {
    const cache = new LoginCredentialCache();
    expect(cache.get(['code', 'pass'], 0)).toBeNull();
    cache.store({ pass: 'p' }, HALF_HOUR, 0);
    expect(cache.get(['pass'], 1_000)).toEqual({ pass: 'p' });
  });

  it('returns nothing after the session has expired', () => {
    const cache = new LoginCredentialCache();
    cache.store({ pass: 'p' }, HALF_HOUR, 0);
    cache.touch(HALF_HOUR - 1);
    expect(cache.get(['pass'], HALF_HOUR + 1)).toEqual({ pass: 'p' });
    expect(cache.get(['pass'], 2 * HALF_HOUR - 1)).toBeNull();
    expect(cache.get(['pass'], HALF_HOUR + 1)).toBeNull();
  });

  it('returns no setup code where the controller accepts only a pass', () => {
    const cache = new LoginCredentialCache();
    cache.store({ code: 'c' }, HALF_HOUR, 0);
    expect(cache.get(['pass'], 1)).toBeNull();
    expect(cache.get(['code', 'pass'], 1)).toEqual({ code: 'c' });
  });
});
