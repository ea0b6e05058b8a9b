import { describe, expect, it } from 'vitest';
import { withParameters } from './with-parameters.ts';

describe('withParameters', () => {
  it('appends parameters and keeps the address as written', () => {
    expect(withParameters('https://X.example', { code: 'a b' })).toBe('https://X.example?code=a+b');
    expect(withParameters('https://x.example/?a=%7E', { code: 'c' })).toBe('https://x.example/?a=%7E&code=c');
    expect(withParameters('app:/cb?', { state: '&=#', none: undefined })).toBe('app:/cb?state=%26%3D%23');
  });
});
