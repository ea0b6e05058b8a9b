import { describe, expect, it } from 'vitest';
import { parseAcmeOptions } from './acme-options.ts';
import pino from 'pino';
import type { KeyAndCertificate } from '../tls/certificate-authority.ts';
import { createCertificateReloadTask } from './reload-certificate-files.ts';

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

const certificate = (name: string): KeyAndCertificate => ({ key: `key of ${name}`, certificate: name });

/** Runs the check once. Returns the certificates in use afterwards. */
const check = async (load: () => Promise<KeyAndCertificate>): Promise<string[]> => {
  const used: string[] = [];
  const logger = pino({ enabled: false });
  const task = createCertificateReloadTask(certificate('old'), load, next => used.push(next.certificate), logger);
  task.start();
  await task.stop();
  return used;
};

describe('createCertificateReloadTask', () => {
  it('uses changed certificate files', async () => {
    expect(await check(async () => certificate('new'))).toEqual(['new']);
  });

  it('keeps the certificate while the files are unchanged or cannot be used', async () => {
    expect(await check(async () => certificate('old'))).toEqual([]);
    expect(await check(() => Promise.reject(new Error('the key is missing')))).toEqual([]);
  });
});
