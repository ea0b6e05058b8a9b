import { describe, expect, it } from 'vitest';
import { isTechnicianApiRejectionWith, parseTechnicianApiError } from './api-result.ts';
import { parseTechnicianPagePath } from './controller-endpoint.ts';
import { LoginCredentialCache } from './login-credential-cache.ts';

describe('parseTechnicianApiError', () => {
  it('reads an error response of the controller', () => {
    const error = parseTechnicianApiError(409, { type: 'conflict', message: 'busy', args: { reason: 'busy' } }, null);
    expect(isTechnicianApiRejectionWith(error, 409)).toBe(true);
    expect(isTechnicianApiRejectionWith(error, 409, 'busy')).toBe(true);
    expect(isTechnicianApiRejectionWith(error, 409, 'other')).toBe(false);
    expect(isTechnicianApiRejectionWith({ kind: 'offline' }, 409)).toBe(false);
  });

  it('describes a response that is not from the controller', () => {
    for (const body of [null, 'login required', 7, [], { args: 'x', message: 3 }])
      expect(parseTechnicianApiError(511, body, 'soon')).toMatchObject({
        kind: 'rejected',
        status: 511,
        message: 'HTTP 511',
        retry_after_s: null,
      });
    expect(parseTechnicianApiError(429, {}, '30')).toMatchObject({ retry_after_s: 30 });
  });
});

describe('parseTechnicianPagePath', () => {
  it('distinguishes a local controller, a remote controller and the device list of the bridge', () => {
    expect(parseTechnicianPagePath('/')).toEqual({ kind: 'local', base: '/technician/v1', isRemote: false });
    expect(parseTechnicianPagePath('/technician/')).toMatchObject({ kind: 'device_list', isRemote: true });
    for (const path of ['/technician/devices/dev_1', '/technician/devices/dev_1/'])
      expect(parseTechnicianPagePath(path)).toEqual({
        kind: 'remote',
        base: '/admin/v1/devices/dev_1/technician/v1',
        isRemote: true,
      });
  });
});

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
