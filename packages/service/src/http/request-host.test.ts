import { describe, expect, it } from 'vitest';
import { parseHostHeader, isLoopbackHost, isRequestTargetPath } from './request-host.ts';

describe('parseHostHeader', () => {
  it.each([
    ['localhost', 'localhost'],
    ['LocalHost:8080', 'localhost'],
    ['[::1]:8443', '::1'],
    ['door.local.:443', 'door.local'],
  ])('reads %s as %s', (header, name) => {
    expect(parseHostHeader(header)).toBe(name);
  });

  it.each([undefined, '', 'a b', 'user@localhost', 'localhost/x', 'localhost?x', 'localhost#x', 'localhost:x'])(
    'rejects %j',
    header => {
      expect(parseHostHeader(header)).toBeNull();
    },
  );
});

describe('isLoopbackHost', () => {
  it.each(['localhost', 'localhost:1', '127.0.0.1:8080', '[::1]', '[::1]:65535'])('accepts %s', header => {
    expect(isLoopbackHost(header)).toBe(true);
  });

  it.each([
    undefined,
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'evil.example#localhost',
    '0.0.0.0',
    '192.0.2.1',
  ])('rejects %j', header => {
    expect(isLoopbackHost(header)).toBe(false);
  });
});

describe('isRequestTargetPath', () => {
  it.each([
    ['/v2/members', true],
    ['http://localhost/v2/members', false],
    ['*', false],
    ['', false],
  ])('%s: %s', (target, expected) => {
    expect(isRequestTargetPath(target)).toBe(expected);
  });
});
