import { describe, expect, it } from 'vitest';
import { requireValidRedirectUri, isRegisteredRedirectUri } from './redirect-uris.ts';

describe('requireValidRedirectUri', () => {
  it.each([
    'https://pms.example/cb',
    'http://localhost/cb',
    'http://127.0.0.1:8080/',
    'com.example.app:/cb',
    'https://x.example/?a=b',
  ])('accepts %s', uri => expect(() => requireValidRedirectUri(uri, 'redirect_uris.0')).not.toThrow());

  it.each([
    '',
    '/cb',
    'pms.example',
    'https://x.example/#frag',
    'javascript:alert(1)',
    'data:text/html,x',
    'https://a@b.example/',
    'https://x.example/a b',
  ])('rejects %j and names the field', uri => {
    expect(() => requireValidRedirectUri(uri, 'redirect_uris.0')).toThrow(
      expect.objectContaining({ args: { field: 'redirect_uris.0' } }),
    );
  });
});

describe('isRegisteredRedirectUri', () => {
  it.each([
    ['http://127.0.0.1/cb', 'http://127.0.0.1:8080/cb'],
    ['http://127.0.0.1:3000/cb', 'http://127.0.0.1:8080/cb'],
    ['http://[::1]/cb', 'http://[::1]:8080/cb'],
    ['http://localhost', 'http://localhost:8080'],
  ])('matches %s with %s', (known, uri) => expect(isRegisteredRedirectUri([known], uri)).toBe(true));

  it.each([
    ['http://127.0.0.1/cb', 'http://127.0.0.1:8080/other'],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:8080/cb?x=1'],
    ['http://127.0.0.1/cb', 'http://localhost:8080/cb'],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:99999/cb'],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:80@evil.example/cb'],
    ['http://127.0.0.1/cb', 'http://127.0.0.1.evil.example/cb'],
    ['https://localhost/cb', 'https://localhost:8080/cb'],
    ['https://pms.example/cb', 'https://pms.example:8080/cb'],
  ])('does not match %s with %s', (known, uri) => expect(isRegisteredRedirectUri([known], uri)).toBe(false));
});
