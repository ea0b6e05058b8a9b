import { describe, expect, it } from 'vitest';
import { parseUserAgent } from './user-agent.ts';

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
