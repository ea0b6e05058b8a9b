import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Instant, instant } from '@lintel/access-core/instant';
import { openCertificateAuthority } from '@lintel/cloud-bridge/testing';
import { TestBridge } from './test-bridge.ts';

const HOST = '127.0.0.1';

const listening = async (server: Server): Promise<number> => {
  server.listen(0, HOST);
  await once(server, 'listening');
  return (server.address() as { port: number }).port;
};

/** A test bridge that serves HTTPS and MQTTS with certificates of its own authority. */
export class TlsBridge {
  readonly bridge: TestBridge;
  readonly fingerprint: string;
  readonly mqtts: string;
  readonly mqtt: string;
  readonly #https: Server;
  /** Number of HTTPS requests received. */
  requests = 0;
  /** Receives each HTTPS request before the bridge does. False: the bridge does not get it. */
  intercept: (request: IncomingMessage, response: ServerResponse) => boolean = () => true;

  private constructor(bridge: TestBridge, https: Server, parts: Pick<TlsBridge, 'fingerprint' | 'mqtts' | 'mqtt'>) {
    this.bridge = bridge;
    this.#https = https;
    this.fingerprint = parts.fingerprint;
    this.mqtts = parts.mqtts;
    this.mqtt = parts.mqtt;
    https.on('request', (request, response) => {
      this.requests += 1;
      if (this.intercept(request, response)) bridge.app.routing(request, response);
    });
  }

  static async open(now: Instant): Promise<TlsBridge> {
    const dataDir = mkdtempSync(join(tmpdir(), 'lintel-tls-bridge-'));
    const authority = await openCertificateAuthority(dataDir, now);
    const identity = await authority.issueServerCertificate(['localhost', HOST], now);
    const https = createServer({ key: identity.key, cert: identity.certificate });
    const publicUrl = `https://${HOST}:${await listening(https)}`;
    const bridge = await TestBridge.open({ dataDir, publicUrl, caFingerprint: authority.fingerprint });
    bridge.now = instant(now);
    const { app, devices } = bridge;
    await app.ready();
    const mqtts = `mqtts://${HOST}:${await devices.broker!.listenTls(HOST, 0, identity, authority.certificate)}`;
    const mqtt = `mqtt://${HOST}:${await devices.broker!.listen(HOST, 0)}`;
    devices.brokerAddresses = { mqtts, mqtt };
    return new TlsBridge(bridge, https, { fingerprint: authority.fingerprint, mqtts, mqtt });
  }

  get url(): string {
    return this.bridge.services.publicUrl;
  }

  async close(): Promise<void> {
    this.#https.closeAllConnections();
    this.#https.close();
    await this.bridge.close();
  }
}
