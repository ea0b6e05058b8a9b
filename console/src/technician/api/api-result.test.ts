import { describe, expect, it } from 'vitest';
import { isTechnicianApiRejectionWith, parseTechnicianApiError } from './api-result.ts';

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
