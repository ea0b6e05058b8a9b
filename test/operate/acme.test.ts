import type { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { Agent, get, type RequestOptions } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { instant } from '@lintel/access-core/instant';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { serveWithAcmeCertificate } from '@lintel/cloud-bridge/testing';
import { isPresent, requireProgram } from '../support/require-program.ts';
import { TestBridge, type TestBridgeOptions } from '../support/bridge/test-bridge.ts';
import { BridgeProcess } from '../support/processes/bridge-process.ts';
import { CERTIFICATE_DAYS, type PebbleProcess, pebble, startPebble } from '../support/processes/pebble.ts';

const NAME = 'doors.example.test';
const DAY_SECONDS = 86_400;

const certificateAt = async (port: number): Promise<X509Certificate> => {
  const socket = connect({ port, host: '127.0.0.1', servername: NAME, rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const certificate = socket.getPeerX509Certificate()!;
  socket.destroy();
  return certificate;
};

const isFromPebble = ({ issuer }: X509Certificate): boolean => issuer.includes('Pebble');

interface LogLine {
  readonly message: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

describe('certificates of an ACME server', { tags: ['slow'] }, () => {
  let server: PebbleProcess;
  const authorities = getCACertificates('default');
  const closeTasks: Array<() => unknown> = [];

  beforeAll(async () => {
    if (!isPresent(pebble)) return;
    server = await startPebble();
    setDefaultCACertificates([...authorities, server.authority]);
  });
  afterEach(async () => {
    for (const close of closeTasks.splice(0).toReversed()) await close();
  });
  afterAll(async () => {
    setDefaultCACertificates(authorities);
    await server?.stop();
  });

  /** A bridge with HTTPS on the port, and its ACME certificate. */
  const open = async (
    tlsPort: number,
    options: TestBridgeOptions & { readonly httpPort?: number; readonly onStored?: () => Promise<unknown> } = {},
  ) => {
    const { httpPort, onStored = async () => undefined, ...bridgeOptions } = options;
    const bridge = await TestBridge.open({ publicUrl: `https://${NAME}`, ...bridgeOptions });
    closeTasks.push(() => bridge.close());
    bridge.now = instant(Date.now());
    const log: LogLine[] = [];
    const acme = await serveWithAcmeCertificate(bridge, {
      name: NAME,
      directoryUrl: server.directoryUrl,
      tlsPort,
      httpPort,
      log: (_level, message, facts = {}) => log.push({ message, facts }),
      onStored,
    });
    closeTasks.push(() => acme.close());
    return { bridge, log, ...acme };
  };

  const expiryMetric = async ({ bridge }: TestBridge): Promise<number> =>
    Number(/^lintel_tls_certificate_expiry\S+ (\S+)$/m.exec(await bridge.metrics.text())?.[1]);

  it('obtains a certificate over HTTP and renews it at two thirds of its lifetime', async context => {
    requireProgram(context, pebble);
    const { bridge, certificate, log } = await open(server.tlsPort, { httpPort: server.httpPort });
    expect(isFromPebble(await certificateAt(server.tlsPort))).toBe(false);
    await certificate.renewIfDue();
    expect(log).toMatchObject([{ message: 'Certificate issued', facts: { name: NAME } }]);
    const first = await certificateAt(server.tlsPort);
    expect(isFromPebble(first)).toBe(true);
    expect(first.subjectAltName).toBe(`DNS:${NAME}`);
    expect(await expiryMetric(bridge)).toBe(first.validToDate.getTime() / 1000);
    expect(statSync(join(bridge.dataDir, 'acme.json')).mode & 0o777).toBe(0o600);
    const accountOf = (): string =>
      (JSON.parse(readFileSync(join(bridge.dataDir, 'acme.json'), 'utf8')) as { accountKey: string }).accountKey;
    const account = accountOf();

    bridge.advanceSeconds((CERTIFICATE_DAYS * DAY_SECONDS * 2) / 3 - 60);
    await certificate.renewIfDue();
    expect((await certificateAt(server.tlsPort)).serialNumber).toBe(first.serialNumber);
    bridge.advanceSeconds(120);
    await certificate.renewIfDue();
    const second = await certificateAt(server.tlsPort);
    expect(isFromPebble(second)).toBe(true);
    expect(second.serialNumber).not.toBe(first.serialNumber);
    expect(accountOf()).toBe(account);
  });

  it('redirects other HTTP requests to the public URL', async context => {
    requireProgram(context, pebble);
    await open(server.tlsPort, { httpPort: server.httpPort });
    const request = (path: string) => fetch(`http://127.0.0.1:${server.httpPort}${path}`, { redirect: 'manual' });
    expect((await request('/console?tab=1')).headers.get('location')).toBe(`https://${NAME}/console?tab=1`);
    expect((await request('//evil.example/')).headers.get('location')).toBe(`https://${NAME}//evil.example/`);
    expect((await request('/.well-known/acme-challenge/unknown')).status).toBe(404);
  });

  it('obtains a certificate over TLS while HTTP connections stay open', async context => {
    requireProgram(context, pebble);
    const { certificate } = await open(server.tlsPort);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    closeTasks.push(() => agent.destroy());
    const request = async (): Promise<boolean> => {
      const options: RequestOptions = { agent, port: server.tlsPort, path: '/healthz', rejectUnauthorized: false };
      const sent = get({ ...options, host: '127.0.0.1', servername: NAME });
      const [response] = await once(sent, 'response');
      response.resume();
      await once(response, 'end');
      return sent.reusedSocket;
    };
    expect(await request()).toBe(false);
    await certificate.renewIfDue();
    expect(isFromPebble(await certificateAt(server.tlsPort))).toBe(true);
    expect(await request()).toBe(true);
  });

  it('keeps the old certificate after a failure, says what to do, and waits before the next attempt', async context => {
    requireProgram(context, pebble);
    const { bridge, https, certificate, log } = await open(0, { httpPort: 0 });
    await certificate.renewIfDue();
    expect(log).toMatchObject([{ facts: { name: NAME, why: expect.stringContaining('refused') } }]);
    expect(log[0]?.facts['advice']).toContain(`${NAME} points to this bridge, and that port 80 is open`);
    expect(isFromPebble(await certificateAt(https.port))).toBe(false);
    expect(await bridge.bridge.metrics.text()).toMatch(/^lintel_acme_failures_total 1$/m);
    bridge.advanceSeconds(240);
    await certificate.renewIfDue();
    expect(log).toHaveLength(1);
    bridge.advanceSeconds(61);
    await certificate.renewIfDue();
    expect(log).toHaveLength(2);
    const waits = log.map(({ facts }) => Date.parse(String(facts['next_attempt'])));
    expect(waits[1]! - bridge.now).toBe(600_000);
  });

  it('lets one of several bridges order, and any of them answer the challenge', async context => {
    requireProgram(context, pebble);
    // The second one reads what the first one writes, as it does while the first one waits.
    let refreshSecond: () => Promise<unknown> = async () => undefined;
    const first = await open(0, { engine: 'postgres', onStored: () => refreshSecond() });
    const { database } = first.bridge;
    const second = await open(server.tlsPort, { database, dataDir: first.bridge.dataDir });
    refreshSecond = () => second.certificate.refresh();
    const { storage, masterKeys } = first.bridge.services;
    expect(await first.store.read()).toBeNull();
    // Only the second one is reachable for the ACME server.
    await Promise.all([first.certificate.renewIfDue(), first.certificate.renewIfDue()]);
    await second.certificate.refresh();
    const ports = [first.https.port, second.https.port];
    const serials = await Promise.all(ports.map(async port => (await certificateAt(port)).serialNumber));
    expect(isFromPebble(await certificateAt(server.tlsPort))).toBe(true);
    expect(new Set(serials).size).toBe(1);
    const row = await storage.reader.selectFrom('shared_file_chunks').selectAll().executeTakeFirstOrThrow();
    expect(row.bytes.toString()).toMatch(/^v1\./);
    masterKeys.addVersion();
    await first.certificate.refresh();
    expect((await first.store.read())?.certificate).not.toBeNull();
    const resealed = await storage.reader.selectFrom('shared_file_chunks').selectAll().executeTakeFirstOrThrow();
    expect(resealed.bytes.toString()).toMatch(/^v2\./);
  });

  it('serves the certificate of `lintel bridge`, also after a restart', async context => {
    requireProgram(context, pebble);
    const dataDir = mkdtempSync(join(tmpdir(), 'lintel-acme-'));
    closeTasks.push(() => rmSync(dataDir, { recursive: true }));
    const tls = ['--host', '127.0.0.1', '--https-port', String(server.tlsPort), '--public-url', `https://${NAME}`];
    const acme = ['--acme-agree', '--acme-email', 'operator@example.test', '--acme-directory', server.directoryUrl];
    const process = new BridgeProcess(dataDir, [...tls, ...acme], { NODE_EXTRA_CA_CERTS: server.authorityFile });
    closeTasks.push(() => process.kill());
    await process.start();
    await expect.poll(async () => isFromPebble(await certificateAt(server.tlsPort))).toBe(true);
    const { serialNumber } = await certificateAt(server.tlsPort);
    await process.kill();
    await process.start();
    expect((await certificateAt(server.tlsPort)).serialNumber).toBe(serialNumber);
  });
});
