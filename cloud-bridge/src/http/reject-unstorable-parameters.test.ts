import { describe, expect, it } from 'vitest';
import { rejectUnstorableParams, rejectUnstorableQuery } from './reject-unstorable-parameters.ts';

describe('rejectUnstorableParams', () => {
  it.each(['a\0', '\ud800'])('throws not_found for %j', id => {
    expect(() => rejectUnstorableParams({ id })).toThrow(expect.objectContaining({ type: 'not_found' }));
  });

  it('accepts any other text', () => {
    expect(() => rejectUnstorableParams({ id: 'é🔑%' })).not.toThrow();
  });
});

describe('rejectUnstorableQuery', () => {
  it('names the parameter, shortened and well-formed', () => {
    expect(() => rejectUnstorableQuery({ name: 'a\0' })).toThrow(expect.objectContaining({ args: { field: 'name' } }));
    expect(() => rejectUnstorableQuery({ [`\ud800${'x'.repeat(200)}`]: '' })).toThrow(
      expect.objectContaining({ args: { field: `\ufffd${'x'.repeat(99)}` } }),
    );
  });

  it('ignores values that are not text', () => {
    expect(() => rejectUnstorableQuery({ name: ['a', 'b'] })).not.toThrow();
  });
});
