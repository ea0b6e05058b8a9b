import { describe, expect, it } from 'vitest';
import { appendQueryParameters } from './append-query-parameters.ts';

describe('appendQueryParameters', () => {
  it('appends parameters without changing the rest of the URI', () => {
    expect(appendQueryParameters('https://X.example', { code: 'a b' })).toBe('https://X.example?code=a+b');
    expect(appendQueryParameters('https://x.example/?a=%7E', { code: 'c' })).toBe('https://x.example/?a=%7E&code=c');
    expect(appendQueryParameters('app:/cb?', { state: '&=#', none: undefined })).toBe('app:/cb?state=%26%3D%23');
  });
});
