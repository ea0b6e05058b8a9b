import { describe, expect, it } from 'vitest';
import { parseAcmeOptions } from './acme-options.ts';

const required = { 'acme-agree': true, 'public-url': 'https://Doors.Example.com:8443/', 'https-port': '443' };

describe('parseAcmeOptions', () => {
  it('uses the name of the public URL, and TLS on the HTTPS port', () => {
    expect(parseAcmeOptions(required)).toEqual({
      name: 'doors.example.com',
      directoryUrl: 'https://acme-v02.api.letsencrypt.org/directory',
      email: null,
      challengeType: 'tls-alpn-01',
      httpPort: null,
    });
    expect(parseAcmeOptions({ ...required, 'acme-http-port': '80' })).toMatchObject({
      challengeType: 'http-01',
      httpPort: 80,
    });
    expect(parseAcmeOptions({ 'acme-agree': false })).toBeNull();
  });

  it.each([
    [{ 'acme-agree': false, 'acme-email': 'eva@example.com' }, 'Add --acme-agree'],
    [{ ...required, 'tls-cert': 'a.pem' }, 'either --acme-agree or --tls-cert'],
    [{ ...required, 'https-port': undefined }, 'requires --https-port'],
    [{ ...required, 'public-url': 'https://192.0.2.1' }, 'a DNS name'],
    [{ ...required, 'public-url': 'https://[2001:db8::1]' }, 'a DNS name'],
    [{ ...required, 'public-url': 'http://doors.example.com' }, 'with https'],
    [{ ...required, 'public-url': undefined }, 'requires --public-url'],
    [{ ...required, 'acme-directory': 'http://ca.example.com' }, '--acme-directory must be a URL'],
    [{ ...required, 'acme-email': 'eva' }, '--acme-email must be an email address'],
  ])('rejects %o', (values, message) => {
    expect(() => parseAcmeOptions(values)).toThrow(message);
  });
});
