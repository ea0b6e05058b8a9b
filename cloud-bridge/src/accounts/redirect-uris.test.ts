import { describe, expect, it } from 'vitest';
import { checkRedirectUri } from './redirect-uris.ts';

describe('checkRedirectUri', () => {
  it.each([
    'https://pms.example/cb',
    'http://localhost/cb',
    'http://127.0.0.1:8080/',
    'com.example.app:/cb',
    'https://x.example/?a=b',
  ])('accepts %s', uri => expect(() => checkRedirectUri(uri, 'redirect_uris.0')).not.toThrow());

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
    expect(() => checkRedirectUri(uri, 'redirect_uris.0')).toThrow(
      expect.objectContaining({ args: { field: 'redirect_uris.0' } }),
    );
  });
});
