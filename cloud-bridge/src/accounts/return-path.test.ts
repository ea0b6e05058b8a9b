import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { localPath } from './return-path.ts';

describe('localPath', () => {
  it('keeps a path with its query', () => {
    expect(localPath('/oauth2/auth?a=b&c=%20d')).toBe('/oauth2/auth?a=b&c=%20d');
    expect(localPath('/')).toBe('/');
  });

  it.each([
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    '',
    '/a\nb',
    '/.//evil.example',
    '/x/..//evil.example',
  ])('rejects %j', text => expect(localPath(text)).toBeNull());

  it('never leads a browser to another origin', () => {
    const piece = fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      '@',
      ':',
      '?',
      '#',
      '%2f',
      '\t',
      'evil.example',
      'http:',
      '//',
      'a',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), pieces => {
        const path = localPath(pieces.join('')) ?? '/';
        expect(new URL(path, 'https://doors.example').origin).toBe('https://doors.example');
      }),
      { numRuns: 5000 },
    );
  });
});
