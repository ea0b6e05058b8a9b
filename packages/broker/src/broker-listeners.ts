import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls';
import { judgeClient, presentedChain } from '@lintel/crypto/tls/server-chain';
import { connectionCutter } from './connection-cutter.ts';

export interface ServerCredentials {
  /** In PEM; the certificate with those above it. */
  readonly key: string;
  readonly certificate: string;
}

/** Without noDelay a round trip takes 88 ms instead of 0.3 ms. */
export const brokerSocketServer = (): Server => createServer({ noDelay: true });

/** Where a broker is reached, plainly and with TLS. */
export class BrokerListeners {
  readonly #accept: (socket: Socket) => void;
  readonly #now: () => number;
  readonly #authorities = new WeakMap<object, X509Certificate>();
  readonly #open: Array<{ readonly server: Server; readonly cut: () => void }> = [];
  readonly #secured: Array<{ readonly door: TlsServer; readonly authority: string }> = [];

  /** Certificates of clients are checked against `now`. */
  constructor(accept: (socket: Socket) => void, now: () => number) {
    this.#accept = accept;
    this.#now = now;
  }

  /** On loopback only: it has no TLS. Answers the port. */
  listen(host: string, port: number): Promise<number> {
    const server = brokerSocketServer();
    this.serve(server);
    return this.#bound(server, host, port);
  }

  listenTls(host: string, port: number, own: ServerCredentials, authority: string): Promise<number> {
    const server = brokerSocketServer();
    this.serveTls(server, own, authority);
    return this.#bound(server, host, port);
  }

  /** A server that listens already; from now on it is closed with the others. */
  serve(server: Server): void {
    this.#open.push({ server, cut: connectionCutter(server) });
    server.on('connection', this.#accept);
  }

  /** The same with TLS. Clients show a certificate of this authority. */
  serveTls(server: Server, own: ServerCredentials, authority: string): void {
    const issuer = new X509Certificate(authority);
    const options = {
      key: own.key,
      cert: own.certificate,
      ca: authority,
      requestCert: true,
      // Judged right after the handshake instead, by kept time: the library would ask the clock of the system.
      rejectUnauthorized: false,
    };
    const door = createTlsServer(options, socket => {
      socket.on('error', () => undefined);
      if (judgeClient(presentedChain(socket), issuer, this.#now()) === null) {
        socket.destroy();
        return;
      }
      this.#authorities.set(socket, issuer);
      this.#accept(socket);
    });
    this.#secured.push({ door, authority });
    this.#open.push({ server, cut: connectionCutter(server) });
    server.on('connection', socket => door.emit('connection', socket));
  }

  async #bound(server: Server, host: string, port: number): Promise<number> {
    server.listen(port, host);
    await once(server, 'listening');
    return (server.address() as { port: number }).port;
  }

  /** Whose certificates the socket was held to; undefined for one without TLS. */
  authorityOf(socket: Socket): X509Certificate | undefined {
    return this.#authorities.get(socket);
  }

  /** From the next handshake on; those who are connected stay. */
  replaceCertificate({ key, certificate }: ServerCredentials): void {
    for (const { door, authority } of this.#secured) door.setSecureContext({ key, cert: certificate, ca: authority });
  }

  async close(): Promise<void> {
    for (const { server, cut } of this.#open) {
      if (!server.listening) continue;
      const closed = once(server, 'close');
      server.close();
      cut();
      await closed;
    }
  }
}
