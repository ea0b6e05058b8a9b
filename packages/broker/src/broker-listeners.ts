import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type Server as TlsServer, type TLSSocket } from 'node:tls';
import { verifyClientCertificate, readPresentedCertificates } from '@lintel/crypto/tls/certificate-chain';
import { createConnectionCloser } from './connection-closer.ts';

export interface ServerKeyAndCertificate {
  /** PEM format. The certificate includes its chain. */
  readonly key: string;
  readonly certificate: string;
}

/** Without noDelay a round trip takes 88 ms instead of 0.3 ms. */
export const createBrokerSocketServer = (): Server => createServer({ noDelay: true });

const claimedNameOf = (socket: TLSSocket): string | null => {
  const name: unknown = (socket.getPeerCertificate() as { readonly subject?: { readonly CN?: unknown } }).subject?.CN;
  return typeof name === 'string' ? name : null;
};

/** Plain and TLS listeners of a broker. */
export class BrokerListeners {
  readonly #accept: (socket: Socket) => void;
  readonly #now: () => number;
  readonly #onRefused: (claimedName: string | null, address: string) => void;
  readonly #authorities = new WeakMap<object, X509Certificate>();
  readonly #open: Array<{ readonly server: Server; readonly closeConnections: () => void }> = [];
  readonly #tls: Array<{ readonly tlsServer: TlsServer; readonly authority: string }> = [];

  /** `now` is the time against which client certificates are checked. `onRefused` gets the unverified name of the certificate. */
  constructor(
    accept: (socket: Socket) => void,
    now: () => number,
    onRefused: (claimedName: string | null, address: string) => void,
  ) {
    this.#accept = accept;
    this.#now = now;
    this.#onRefused = onRefused;
  }

  /** Without TLS, so for loopback only. Returns the port. */
  listen(host: string, port: number): Promise<number> {
    const server = createBrokerSocketServer();
    this.serve(server);
    return this.#bind(server, host, port);
  }

  listenTls(host: string, port: number, own: ServerKeyAndCertificate, authority: string): Promise<number> {
    const server = createBrokerSocketServer();
    this.serveTls(server, own, authority);
    return this.#bind(server, host, port);
  }

  /** Takes over a server that already listens. `close` closes it. */
  serve(server: Server): void {
    this.#open.push({ server, closeConnections: createConnectionCloser(server) });
    server.on('connection', this.#accept);
  }

  /** Clients must present a certificate of this authority. */
  serveTls(server: Server, own: ServerKeyAndCertificate, authority: string): void {
    const issuer = new X509Certificate(authority);
    const options = {
      key: own.key,
      cert: own.certificate,
      ca: authority,
      requestCert: true,
      // Certificates are verified after the handshake against `now`. The TLS library would use the system clock.
      rejectUnauthorized: false,
    };
    const tlsServer = createTlsServer(options, socket => {
      socket.on('error', () => undefined);
      if (verifyClientCertificate(readPresentedCertificates(socket), issuer, this.#now()) === null) {
        this.#onRefused(claimedNameOf(socket), socket.remoteAddress ?? '');
        socket.destroy();
        return;
      }
      this.#authorities.set(socket, issuer);
      this.#accept(socket);
    });
    this.#tls.push({ tlsServer, authority });
    this.#open.push({ server, closeConnections: createConnectionCloser(server) });
    server.on('connection', socket => tlsServer.emit('connection', socket));
  }

  async #bind(server: Server, host: string, port: number): Promise<number> {
    server.listen(port, host);
    await once(server, 'listening');
    return (server.address() as { port: number }).port;
  }

  /** The authority that verified the client of the socket; undefined without TLS. */
  authorityOf(socket: Socket): X509Certificate | undefined {
    return this.#authorities.get(socket);
  }

  /** Applies to new handshakes. Existing connections stay open. */
  replaceCertificate({ key, certificate }: ServerKeyAndCertificate): void {
    for (const { tlsServer, authority } of this.#tls)
      tlsServer.setSecureContext({ key, cert: certificate, ca: authority });
  }

  async close(): Promise<void> {
    for (const { server, closeConnections } of this.#open) {
      if (!server.listening) continue;
      const closed = once(server, 'close');
      server.close();
      closeConnections();
      await closed;
    }
  }
}
