import { describe, expect, it } from 'vitest';
import { type AccessTokenCaller, canCallerRead, canCallerWrite } from './authenticated-caller.ts';
import { AllowedMethods } from './allowed-methods.ts';
import { rejectUnstorableParams, rejectUnstorableQuery } from './reject-unstorable-parameters.ts';
import { parseUserAgent } from './user-agent.ts';

const caller = (...scopes: string[]): AccessTokenCaller => ({
  organizationId: 'org_1',
  applicationId: 'app_1',
  userId: null,
  role: 'administrator',
  isApplication: true,
  siteIds: null,
  scopes: new Set(scopes),
  ip: '192.0.2.1',
  userAgent: undefined,
});

describe('canCallerRead and canCallerWrite', () => {
  it.each([
    [['full_read_write'], true, true],
    [['full_read_only'], true, false],
    [['full_read_only', 'full_read_write'], true, true],
    [['offline'], false, false],
    [[], false, false],
  ])('%j: can read %s, can write %s', (scopes, isReader, isWriter) => {
    expect([canCallerRead(caller(...scopes)), canCallerWrite(caller(...scopes))]).toEqual([isReader, isWriter]);
  });
});

describe('AllowedMethods', () => {
  const table = new AllowedMethods();
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
  ])('returns the methods of %s: %j', (path, methods) => {
    expect(table.methodsAt(path)).toEqual(methods);
  });
});

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

describe('parseUserAgent', () => {
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
  ])('parses %s', (userAgent, expected) => {
    expect(parseUserAgent(userAgent)).toMatchObject({ ...expected, user_agent: userAgent });
  });

  it('truncates to 512 characters and returns nulls without a header', () => {
    expect(parseUserAgent('x'.repeat(600)).user_agent).toHaveLength(512);
    expect(Object.values(parseUserAgent(undefined)).every(value => value === null)).toBe(true);
    expect(parseUserAgent('')).toEqual(parseUserAgent(undefined));
  });
});
