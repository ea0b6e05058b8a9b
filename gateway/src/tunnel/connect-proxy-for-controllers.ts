import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { computeConnectionCapacity } from '@lintel/service/connections/connection-capacity';
import { ConnectionLimit, limitConnections } from '@lintel/service/connections/connection-limit';
import type { Log } from '@lintel/service/log-function-type';

const MAX_CONNECTIONS = 32;
const CONNECT_MS = 10_000;
/** Long enough for a claim or a renewal, which is one request. */
const IDLE_MS = 60_000;
const HTTPS = 443;

/** The target of CONNECT. Null for a bridge without TLS, because plain HTTP must not leave the LAN. */
export const parseTunnelTarget = (bridgeUrl: string): { readonly host: string; readonly port: number } | null => {
  const url = URL.parse(bridgeUrl);
  if (url?.protocol !== 'https:') return null;
  return { host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port: url.port === '' ? HTTPS : Number(url.port) };
};

const refuse = (socket: Duplex, status: string): void => {
  socket.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
};

/**
 * An HTTP CONNECT proxy to the bridge and nowhere else, so that a controller without internet access can be claimed and renew its
 * certificate. TLS is end to end between controller and bridge.
 */
export class BridgeTunnel {
  readonly #server: Server;
  readonly #open = new Set<Duplex>();
  #target: ReturnType<typeof parseTunnelTarget> = null;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** Rejects connections until `setBridgeUrl` is called. */
  static async listen(host: string, port: number): Promise<BridgeTunnel> {
    const server = createServer({ connectionsCheckingInterval: 5000, headersTimeout: CONNECT_MS }, (_, response) => {
      response.writeHead(405, { allow: 'CONNECT' }).end('Tunnel to the bridge: CONNECT only\n');
    });
    limitConnections(server, new ConnectionLimit(computeConnectionCapacity().http, () => performance.now()));
    const tunnel = new BridgeTunnel(server);
    server.on('connect', (request, socket, head) => tunnel.#connect(request.url ?? '', socket, head));
    server.listen(port, host);
    await once(server, 'listening');
    return tunnel;
  }

  setBridgeUrl(bridgeUrl: string, log: Log): void {
    this.#target = parseTunnelTarget(bridgeUrl);
    if (this.#target !== null) return;
    log('warn', 'The bridge has no https address, so the tunnel rejects all connections', { url: bridgeUrl });
  }

  get port(): number {
    return (this.#server.address() as { port: number }).port;
  }

  #connect(requested: string, client: Duplex, head: Buffer): void {
    const target = this.#target;
    client.on('error', () => client.destroy());
    if (target === null || requested.toLowerCase() !== `${bracketed(target.host)}:${target.port}`) {
      return refuse(client, '403 Forbidden');
    }
    if (this.#open.size >= MAX_CONNECTIONS) return refuse(client, '503 Service Unavailable');
    this.#open.add(client);
    client.once('close', () => this.#open.delete(client));
    const bridge: Socket = connect({ ...target, timeout: CONNECT_MS, noDelay: true });
    let isConnected = false;
    bridge.once('connect', () => {
      isConnected = true;
      bridge.setTimeout(IDLE_MS);
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      if (head.length > 0) bridge.write(head);
      client.pipe(bridge);
      bridge.pipe(client);
    });
    bridge.on('timeout', () => bridge.destroy());
    bridge.on('error', () => undefined);
    bridge.once('close', () => (isConnected ? client.destroy() : refuse(client, '502 Bad Gateway')));
    client.once('close', () => bridge.destroy());
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    for (const socket of this.#open) socket.destroy();
    await closed;
  }
}

const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host).toLowerCase();
