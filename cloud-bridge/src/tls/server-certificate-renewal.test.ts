import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { DAY_MS } from '@lintel/access-core/durations';
import { afterAll, describe, expect, it } from 'vitest';
import type { KeyAndCertificate } from './certificate-authority.ts';
import { openCertificateAuthority } from './certificate-authority.ts';
import { ServerCertificateRenewal } from './server-certificate-renewal.ts';
import { loadOrIssueServerIdentity } from './load-or-issue-server-certificate.ts';

const START = Date.UTC(2026, 0, 1);
const dataDir = mkdtempSync(join(tmpdir(), 'lintel-renewal-'));
afterAll(() => rmSync(dataDir, { recursive: true }));

const issuedOn = (day: number) =>
  loadOrIssueServerIdentity({
    authority: () => openCertificateAuthority(dataDir, START),
    now: START + day * DAY_MS,
    names: ['doors.example.test'],
  });

const serialOf = ({ certificate }: KeyAndCertificate): string => new X509Certificate(certificate).serialNumber;

describe('ServerCertificateRenewal', () => {
  it('renews the certificate sixty days before it expires, repeatedly, and not earlier', async () => {
    let day = 0;
    const used: string[] = [];
    const renewal = new ServerCertificateRenewal(
      await issuedOn(0),
      () => issuedOn(day),
      next => used.push(serialOf(next)),
    );
    const renewedOn: number[] = [];
    for (; day < 1000; day++) if (await renewal.renewIfDue(START + day * DAY_MS)) renewedOn.push(day);
    expect(renewedOn).toEqual([337, 674]);
    expect(new Set(used).size).toBe(2);
  });

  it('keeps the certificate when the renewal fails, and retries', async () => {
    let canIssue = false;
    const used: string[] = [];
    const issue = () => (canIssue ? issuedOn(340) : Promise.reject(new Error('the disk is full')));
    const renewal = new ServerCertificateRenewal(await issuedOn(0), issue, next => used.push(serialOf(next)));
    await expect(renewal.renewIfDue(START + 340 * DAY_MS)).rejects.toThrow('the disk is full');
    expect(used).toEqual([]);
    canIssue = true;
    expect(await renewal.renewIfDue(START + 341 * DAY_MS)).toBe(true);
    expect(used).toHaveLength(1);
  });

  it('uses the renewed certificate for later connections, from the same authority', async () => {
    const first = await issuedOn(0);
    const authority = await openCertificateAuthority(dataDir, START);
    const server = createServer({ key: first.key, cert: first.certificate }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const presentedCertificate = async (): Promise<X509Certificate> => {
      const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
      await once(socket, 'secureConnect');
      const peer = socket.getPeerX509Certificate()!;
      socket.destroy();
      return peer;
    };
    const renewal = new ServerCertificateRenewal(
      first,
      () => issuedOn(350),
      ({ key, certificate: cert }) => server.setSecureContext({ key, cert }),
    );
    expect((await presentedCertificate()).serialNumber).toBe(serialOf(first));
    await renewal.renewIfDue(START + 350 * DAY_MS);
    const next = await presentedCertificate();
    expect(next.serialNumber).not.toBe(serialOf(first));
    expect(next.verify(new X509Certificate(authority.certificate).publicKey)).toBe(true);
    server.close();
  });
});
