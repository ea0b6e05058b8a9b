import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toSameOriginPath } from './same-origin-path.ts';

describe('toSameOriginPath', () => {
  it('keeps a path with its query', () => {
    expect(toSameOriginPath('/oauth2/auth?a=b&c=%20d')).toBe('/oauth2/auth?a=b&c=%20d');
    expect(toSameOriginPath('/')).toBe('/');
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
  ])('rejects %j', text => expect(toSameOriginPath(text)).toBeNull());

  it('never returns a path that resolves to another origin', () => {
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
        const path = toSameOriginPath(pieces.join('')) ?? '/';
        expect(new URL(path, 'https://doors.example').origin).toBe('https://doors.example');
      }),
      { numRuns: 5000 },
    );
  });
});
