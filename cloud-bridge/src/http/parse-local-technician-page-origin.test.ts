import { describe, expect, it } from 'vitest';
import { parseLocalPageOrigin } from './parse-local-technician-page-origin.ts';

describe('parseLocalPageOrigin', () => {
  it.each([
    'https://lintel-7f3a.local:8443',
    'https://192.168.1.20:8443',
    'https://10.0.0.7',
    'https://172.31.255.1:8443',
    'https://169.254.3.4:8443',
    'https://[fe80::1]:8443',
    'https://[fd12:3456::1]:8443',
    'https://127.0.0.1:8443',
  ])('accepts %s', url => {
    expect(parseLocalPageOrigin(url)).toBe(url);
    expect(parseLocalPageOrigin(`${url}/`)).toBe(url);
  });

  it.each([
    '',
    'lintel-7f3a.local',
    'http://192.168.1.20:8443',
    'javascript:alert(1)',
    'https://evil.example',
    'https://8.8.8.8:8443',
    'https://172.32.0.1',
    'https://[2001:db8::1]:8443',
    'https://[::ffff:8.8.8.8]:8443',
    'https://lintel-7f3a.local.evil.example',
    'https://.local',
    'https://user@192.168.1.20',
    'https://192.168.1.20:8443/path',
    'https://192.168.1.20:8443/?a=b',
    'https://192.168.1.20:8443/#pass',
  ])('rejects %j', url => {
    expect(parseLocalPageOrigin(url)).toBeNull();
  });
});
