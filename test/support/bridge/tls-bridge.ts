import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Instant, instant } from '@lintel/access-core/instant';
import { openCertificateAuthority } from '@lintel/cloud-bridge/tls/certificate-authority';
import { BridgeWorld } from './bridge-world.ts';

const HOST = '127.0.0.1';

const listening = async (server: Server): Promise<number> => {
  server.listen(0, HOST);
  await once(server, 'listening');
  return (server.address() as { port: number }).port;
};

/** A bridge that serves HTTPS and MQTTS under its own authority, at whatever time a test says. */
export class TlsBridge {
  readonly world: BridgeWorld;
  readonly fingerprint: string;
  readonly mqtts: string;
  readonly mqtt: string;
  readonly #https: Server;
  /** Requests that came through TLS. */
  requests = 0;

  private constructor(world: BridgeWorld, https: Server, parts: Pick<TlsBridge, 'fingerprint' | 'mqtts' | 'mqtt'>) {
    this.world = world;
    this.#https = https;
    this.fingerprint = parts.fingerprint;
    this.mqtts = parts.mqtts;
    this.mqtt = parts.mqtt;
    https.on('request', () => {
      this.requests += 1;
    });
  }

  static async open(now: Instant): Promise<TlsBridge> {
    const dataDir = mkdtempSync(join(tmpdir(), 'lintel-tls-bridge-'));
    const authority = await openCertificateAuthority(dataDir, now);
    const identity = await authority.issueServerCertificate(['localhost', HOST], now);
    const https = createServer({ key: identity.key, cert: identity.certificate });
    const publicUrl = `https://${HOST}:${await listening(https)}`;
    const world = await BridgeWorld.open({ dataDir, publicUrl, caFingerprint: authority.fingerprint });
    world.now = instant(now);
    const { app, devices } = world.bridge;
    await app.ready();
    https.on('request', (request, response) => app.routing(request, response));
    const mqtts = `mqtts://${HOST}:${await devices.broker!.listenTls(HOST, 0, identity, authority.certificate)}`;
    const mqtt = `mqtt://${HOST}:${await devices.broker!.listen(HOST, 0)}`;
    devices.addresses = { mqtts, mqtt };
    return new TlsBridge(world, https, { fingerprint: authority.fingerprint, mqtts, mqtt });
  }

  get url(): string {
    return this.world.bridge.services.publicUrl;
  }

  async close(): Promise<void> {
    this.#https.closeAllConnections();
    this.#https.close();
    await this.world.close();
  }
}
