import { describe, expect, it } from 'vitest';
import { clientInfo } from './client-info.ts';
import { PathTable } from './paths.ts';
import { refuseStrangeParams, refuseStrangeQuery } from './storable-text.ts';

describe('PathTable', () => {
  const table = new PathTable();
  table.add('GET', '/v2/members');
  table.add('POST', '/v2/members');
  table.add('DELETE', '/v2/members/:member_id');
  table.add('GET', '/v2/openapi.json');

  it.each([
    ['/v2/members', ['GET', 'HEAD', 'POST']],
    ['/v2/members/', ['GET', 'HEAD', 'POST']],
    ['/v2/members/mem_1', ['DELETE']],
    ['/v2/members/mem_1/pins', []],
    ['/v2/openapi.json', ['GET', 'HEAD']],
    ['/v2/openapiXjson', []],
  ])('at %s has %j', (path, methods) => {
    expect(table.methodsAt(path)).toEqual(methods);
  });
});

describe('refuseStrangeParams', () => {
  it.each(['a\0', '\ud800'])('does not find %j', id => {
    expect(() => refuseStrangeParams({ id })).toThrow(expect.objectContaining({ type: 'not_found' }));
  });

  it('accepts any other text', () => {
    expect(() => refuseStrangeParams({ id: 'é🔑%' })).not.toThrow();
  });
});

describe('refuseStrangeQuery', () => {
  it('names the parameter, shortened and well-formed', () => {
    expect(() => refuseStrangeQuery({ name: 'a\0' })).toThrow(expect.objectContaining({ args: { field: 'name' } }));
    expect(() => refuseStrangeQuery({ [`\ud800${'x'.repeat(200)}`]: '' })).toThrow(
      expect.objectContaining({ args: { field: `\ufffd${'x'.repeat(99)}` } }),
    );
  });

  it('leaves values that are not text to the parser of the query', () => {
    expect(() => refuseStrangeQuery({ name: ['a', 'b'] })).not.toThrow();
  });
});

describe('clientInfo', () => {
  it.each([
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1',
      { device_type: 'mobile', os: 'iOS', os_version: '17.4', browser: 'Safari', browser_version: '17.4' },
    ],
    [
      'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Mobile Safari/537.36',
      { device_type: 'mobile', os: 'Android', os_version: '14', browser: 'Chrome', browser_version: '124.0.0.0' },
    ],
    [
      'Mozilla/5.0 (X11; Linux x86_64; rv:126.0) Gecko/20100101 Firefox/126.0',
      { device_type: 'desktop', os: 'Linux', os_version: null, browser: 'Firefox', browser_version: '126.0' },
    ],
    ['curl/8.5.0', { device_type: null, os: null, browser: null }],
  ])('reads %s', (userAgent, expected) => {
    expect(clientInfo(userAgent)).toMatchObject({ ...expected, user_agent: userAgent });
  });

  it('keeps 512 characters and is empty without a header', () => {
    expect(clientInfo('x'.repeat(600)).user_agent).toHaveLength(512);
    expect(Object.values(clientInfo(undefined)).every(value => value === null)).toBe(true);
    expect(clientInfo('')).toEqual(clientInfo(undefined));
  });
});
