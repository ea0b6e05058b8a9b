import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Log } from '@lintel/service/log';

const MOST_AT_ONCE = 32;
const CONNECT_MS = 10_000;
/** A claim or a renewal is one request. */
const IDLE_MS = 60_000;
const HTTPS = 443;

/** As CONNECT names it: host and port. Null where the bridge has no TLS, and so nothing to carry past a LAN. */
export const tunnelTarget = (bridgeUrl: string): { readonly host: string; readonly port: number } | null => {
  const url = URL.parse(bridgeUrl);
  if (url?.protocol !== 'https:') return null;
  return { host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port: url.port === '' ? HTTPS : Number(url.port) };
};

const refuse = (socket: Duplex, status: string): void => {
  socket.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
};

/**
 * HTTP CONNECT to the bridge's own HTTPS and nowhere else, so that a controller without a route can be claimed and renew
 * its certificate. TLS is between the controller and the bridge: nothing of it can be read here.
 */
export class BridgeTunnel {
  readonly #server: Server;
  readonly #open = new Set<Duplex>();
  #target: ReturnType<typeof tunnelTarget> = null;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** Leads nowhere until somebody says where the bridge is. */
  static async listen(host: string, port: number): Promise<BridgeTunnel> {
    const server = createServer({ connectionsCheckingInterval: 5000, headersTimeout: CONNECT_MS }, (_, response) => {
      response.writeHead(405, { allow: 'CONNECT' }).end('This is the way to the bridge: CONNECT only\n');
    });
    const tunnel = new BridgeTunnel(server);
    server.on('connect', (request, socket, head) => tunnel.#connect(request.url ?? '', socket, head));
    server.listen(port, host);
    await once(server, 'listening');
    return tunnel;
  }

  leadTo(bridgeUrl: string, log: Log): void {
    this.#target = tunnelTarget(bridgeUrl);
    if (this.#target !== null) return;
    log('warn', 'the bridge has no https address, so the tunnel leads nowhere', { url: bridgeUrl });
  }

  get port(): number {
    return (this.#server.address() as { port: number }).port;
  }

  #connect(wanted: string, client: Duplex, head: Buffer): void {
    const target = this.#target;
    client.on('error', () => client.destroy());
    if (target === null || wanted.toLowerCase() !== `${bracketed(target.host)}:${target.port}`) {
      return refuse(client, '403 Forbidden');
    }
    if (this.#open.size >= MOST_AT_ONCE) return refuse(client, '503 Service Unavailable');
    this.#open.add(client);
    client.once('close', () => this.#open.delete(client));
    const bridge: Socket = connect({ ...target, timeout: CONNECT_MS, noDelay: true });
    let isThrough = false;
    bridge.once('connect', () => {
      isThrough = true;
      bridge.setTimeout(IDLE_MS);
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      if (head.length > 0) bridge.write(head);
      client.pipe(bridge);
      bridge.pipe(client);
    });
    bridge.on('timeout', () => bridge.destroy());
    bridge.on('error', () => undefined);
    bridge.once('close', () => (isThrough ? client.destroy() : refuse(client, '502 Bad Gateway')));
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
