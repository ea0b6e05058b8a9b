import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createHttp } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTls } from 'node:tls';
import { createTechnicianPageCertificate } from '@lintel/crypto/tls/technician-page-certificate';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createTestSite } from '../support/bridge/site-fixtures.ts';
import { TestBridge } from '../support/bridge/test-bridge.ts';
import { claimGateway, startGateway } from '../support/devices/claim-and-start-gateway.ts';
import { claimDataFolder } from '../support/devices/create-claimed-data-folder.ts';
import { startDevice } from '../support/processes/device-process.ts';
import { runLintel } from '../support/processes/lintel-command.ts';

/** Texts of OpenSSL, of Node's HTTP parser and of the MQTT parser. */
const foreignTexts = /SSL routines|header flag|Parse Error|hang up|HPE_|\n +at /;
const certificate = await createTechnicianPageCertificate(() => ['localhost']);
const identity = { key: certificate.key, cert: certificate.certificate };

const folder = mkdtempSync(join(tmpdir(), 'lintel-protocol-'));
const servers: Server[] = [];
let http: string;
let https: string;
let oldTls: string;

const listen = async (server: Server): Promise<string> => {
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
};

beforeAll(async () => {
  http = await listen(createHttp((_, response) => response.end('{}')));
  https = await listen(createHttps(identity, (_, response) => response.end('{}')));
  const versions = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
  oldTls = await listen(createTls({ ...identity, ...versions }, socket => socket.end()).on('tlsClientError', () => {}));
});
afterAll(() => {
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true });
});

const noTls = / does not use TLS\. Check the port/;
const noHttp = /closed the connection without an answer\. Check the port/;
const noMqtt = /does not answer with MQTT\. Check the port/;
const otherVersion = / does not support TLS 1\.2 or TLS 1\.3\. /;

describe('commands that reach a port of another protocol', () => {
  const fails = async (expected: RegExp, ...args: readonly string[]): Promise<void> => {
    const { code, stdout, stderr } = await runLintel(...args);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(expected);
    expect(stderr).not.toMatch(foreignTexts);
  };
  const enroll = (url: string) =>
    [
      'enroll',
      '--data',
      join(folder, 'door'),
      '--code',
      '7K3M-0QXW-PT5H',
      '--profile',
      'virtual',
      '--bridge',
      url,
    ] as const;

  it('name it for enroll', async () => {
    await fails(noTls, ...enroll(`https://${http}`));
    await fails(noHttp, ...enroll(`http://${https}`));
    await fails(otherVersion, ...enroll(`https://${oldTls}`));
  });

  it('name it for rules', async () => {
    vi.stubEnv('LINTEL_CODE', 'ABCDE-FGHJK');
    vi.stubEnv('LINTEL_TOKEN', 'token');
    onTestFinished(() => void vi.unstubAllEnvs());
    await fails(noTls, 'rules', 'get', '--device', `https://${http}`);
    await fails(otherVersion, 'rules', 'get', '--device', `https://${oldTls}`);
    await fails(noTls, 'rules', 'get', '--bridge', `https://${http}`, '--id', 'dev_1');
    await fails(noHttp, 'rules', 'get', '--bridge', `http://${https}`, '--id', 'dev_1');
  });

  it('name it for the broker of a bridge', async () => {
    const start = (name: string, url: string) =>
      ['bridge', '--data', join(folder, name), '--http-port', '0', '--mqtt-port', '0', '--mqtt-url', url] as const;
    await fails(/The server does not use TLS/, ...start('mqtts', `mqtts://${http}`));
    await fails(/The server does not answer with MQTT/, ...start('mqtt', `mqtt://${http}`));
  });
});

describe('programs whose broker is a port of another protocol', () => {
  it('log it', async () => {
    const bridge = await TestBridge.open();
    onTestFinished(() => bridge.close());
    const client = await bridge.newOrganization();
    const siteId = await createTestSite(bridge, client);
    const door = await claimDataFolder(bridge, client, siteId, {
      product_id: 'virtual',
      revision_id: null,
      name: 'Door',
    });
    const device = await startDevice(door.dataDir, '--profile', 'virtual', '--upstream', `mqtts://${http}`);
    onTestFinished(() => void device.stop());
    await vi.waitFor(() => expect(device.log()).toMatch(noTls), { timeout: 60_000 });
    const logged: string[] = [];
    const log = (_level: string, message: string, facts?: object): void =>
      void logged.push(`${message} ${JSON.stringify(facts ?? {})}`);
    const gateway = await startGateway(bridge, await claimGateway(bridge, client, siteId), `mqtt://${http}`, { log });
    onTestFinished(() => gateway.stop());
    await vi.waitFor(() => expect(logged.join('\n')).toMatch(noMqtt), { timeout: 60_000 });
    expect(`${device.log()}${logged.join('\n')}`).not.toMatch(foreignTexts);
  });
});
