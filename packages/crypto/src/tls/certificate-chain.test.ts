import { DAY_MS } from '@lintel/access-core/durations';
import 'reflect-metadata';
import { webcrypto, X509Certificate } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import { beforeAll, describe, expect, it } from 'vitest';
import { verifyClientCertificate, findServerCertificateProblem } from './certificate-chain.ts';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const { serverAuth, clientAuth } = x509.ExtendedKeyUsage;
const NOW = Date.parse('2041-01-01T00:00:00Z');

interface Made {
  readonly certificate: X509Certificate;
  readonly keys: webcrypto.CryptoKeyPair;
  readonly subject: string;
}

interface CertificateOptions {
  readonly organization?: string;
  readonly name?: string;
  readonly issuer?: Made;
  readonly isAuthority?: boolean;
  readonly usages?: readonly x509.ExtendedKeyUsage[];
  readonly hosts?: readonly string[];
  readonly until?: number;
}

const make = async ({
  name = 'authority',
  organization,
  issuer,
  isAuthority = false,
  usages,
  hosts,
  until,
}: CertificateOptions): Promise<Made> => {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const subject = organization === undefined ? `CN=${name}` : `CN=${name},O=${organization}`;
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: '01ab',
    subject,
    issuer: issuer?.subject ?? subject,
    notBefore: new Date(NOW - DAY_MS),
    notAfter: new Date(until ?? NOW + DAY_MS),
    signingAlgorithm: algorithm,
    publicKey: keys.publicKey,
    signingKey: (issuer?.keys ?? keys).privateKey,
    extensions: [
      new x509.BasicConstraintsExtension(isAuthority, undefined, true),
      ...(usages === undefined ? [] : [new x509.ExtendedKeyUsageExtension([...usages])]),
      ...(hosts === undefined
        ? []
        : [new x509.SubjectAlternativeNameExtension(hosts.map(value => ({ type: 'dns' as const, value })))]),
    ],
  });
  return { certificate: new X509Certificate(certificate.toString('pem')), keys, subject };
};

let authority: Made;
beforeAll(async () => {
  authority = await make({ isAuthority: true });
});

const aServer = (options: CertificateOptions = {}): Promise<Made> =>
  make({ name: 'bridge', issuer: authority, usages: [serverAuth], hosts: ['doors.example.test'], ...options });

const pem = ({ certificate }: Made): string => certificate.toString();
const fingerprint = ({ certificate }: Made): string => certificate.fingerprint256;
const chainOf = (...made: readonly Made[]): X509Certificate[] => made.map(({ certificate }) => certificate);

describe('certificate chain', () => {
  describe('of a server', () => {
    const expected = { host: 'doors.example.test', now: NOW };
    const judged = (chain: readonly Made[], change: object = {}): string | null =>
      findServerCertificateProblem(chainOf(...chain), { ...expected, authority: pem(authority), ...change });

    it('is accepted for its own name, from before its validity until it ends', async () => {
      const server = await aServer();
      expect(judged([server])).toBeNull();
      expect(judged([server], { now: NOW - 100 * DAY_MS })).toBeNull();
      expect(judged([server], { now: NOW + DAY_MS - 1 })).toBeNull();
      expect(judged([server], { now: NOW + DAY_MS })).toContain('expired');
      expect(judged([server], { host: 'other.example.test' })).toContain('not for other.example.test');
      expect(judged([])).toContain('no certificate');
    });

    it('is rejected with a client certificate or one without a purpose', async () => {
      expect(judged([await aServer({ usages: [clientAuth] })])).toContain('is not for servers');
      const plain = await make({ name: 'bridge', issuer: authority, hosts: ['doors.example.test'] });
      expect(judged([plain])).toContain('is not for servers');
    });

    it('is rejected when another key signed under the name of the authority', async () => {
      const impostor = await make({ isAuthority: true });
      const server = await aServer({ issuer: impostor });
      expect(judged([server, impostor])).toContain('not from the authority');
      expect(judged([server, authority])).toContain('not from the authority');
      expect(judged([await make({ name: 'doors.example.test', usages: [serverAuth] })])).toContain('not from');
    });

    it('is rejected when it was signed by a device of the authority', async () => {
      const device = await make({ name: 'dev_1', issuer: authority, usages: [clientAuth, serverAuth] });
      const server = await aServer({ issuer: device });
      expect(judged([server, device, authority])).toContain('not from the authority');
      expect(judged([server, device], { authority: null, fingerprint: fingerprint(device) })).toContain('not from');
    });

    it('may be that of a gateway of the same organization', async () => {
      const usages = [clientAuth, serverAuth];
      const gateway = await make({ name: 'dev_1', organization: 'org_1', issuer: authority, usages });
      expect(judged([gateway])).toContain('not for');
      expect(judged([gateway], { gatewayOrganization: 'org_1' })).toBeNull();
      expect(judged([gateway], { gatewayOrganization: 'org_2' })).toContain('another organization');
      const unknown = await make({ name: 'dev_1', issuer: authority, usages });
      expect(judged([unknown], { gatewayOrganization: 'org_1' })).toContain('another organization');
      const twice = await make({ name: 'dev_1,O=org_2', organization: 'org_1', issuer: authority, usages });
      expect(judged([twice], { gatewayOrganization: 'org_1' })).toContain('another organization');
      const stranger = await make({ name: 'org_1', organization: 'org_1', issuer: authority, usages: [serverAuth] });
      expect(judged([stranger], { gatewayOrganization: 'org_1' })).toContain('not for');
    });

    it('matches the fingerprint of any of its certificates', async () => {
      const between = await make({ name: 'between', issuer: authority, isAuthority: true });
      const server = await aServer({ issuer: between });
      const chain = [server, between, authority];
      const pinned = (one: Made, change: object = {}) =>
        judged(chain, { authority: null, fingerprint: fingerprint(one), ...change });
      expect(chain.map(one => pinned(one))).toEqual([null, null, null]);
      expect(chain.map(one => pinned(one, { host: 'other.example.test' }) === null)).toEqual([true, false, false]);
      expect(pinned(await make({ isAuthority: true }))).toContain('not from');
      expect(judged(chain)).toBeNull();
    });

    it('is rejected under an expired authority', async () => {
      const old = await make({ isAuthority: true, until: NOW - 1 });
      expect(judged([await aServer({ issuer: old })], { authority: pem(old) })).toContain('expired');
    });
  });

  describe('of a client', () => {
    const judged = (made: Made, now = NOW) => verifyClientCertificate(chainOf(made), authority.certificate, now);

    it('identifies the client if the authority signed it for clients and it has not expired', async () => {
      const device = await make({ name: 'dev_1', issuer: authority, usages: [clientAuth] });
      expect(judged(device)).toEqual({ serial: '01ab', commonName: 'dev_1' });
      expect(judged(device, NOW + DAY_MS)).toBeNull();
      expect(judged(await make({ name: 'dev_1', issuer: authority, usages: [serverAuth] }))).toBeNull();
      expect(judged(await make({ name: 'dev_1', usages: [clientAuth] }))).toBeNull();
      expect(verifyClientCertificate([], authority.certificate, NOW)).toBeNull();
    });
  });
});
