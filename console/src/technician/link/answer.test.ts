import { describe, expect, it } from 'vitest';
import { isRefusedWith, refusalOf } from './answer.ts';

describe('refusalOf', () => {
  it('reads an error response of the controller', () => {
    const failure = refusalOf(409, { type: 'conflict', message: 'busy', args: { reason: 'busy' } }, null);
    expect(isRefusedWith(failure, 409)).toBe(true);
    expect(isRefusedWith(failure, 409, 'busy')).toBe(true);
    expect(isRefusedWith(failure, 409, 'other')).toBe(false);
    expect(isRefusedWith({ kind: 'offline' }, 409)).toBe(false);
  });

  it('describes a response that is not from the controller', () => {
    for (const body of [null, 'login please', 7, [], { args: 'x', message: 3 }])
      expect(refusalOf(511, body, 'soon')).toMatchObject({
        kind: 'refused',
        status: 511,
        message: 'HTTP 511',
        retry_after_s: null,
      });
    expect(refusalOf(429, {}, '30')).toMatchObject({ retry_after_s: 30 });
  });
});
