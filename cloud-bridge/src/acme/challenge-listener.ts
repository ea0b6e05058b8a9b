import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { Server as NetServer } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { connectionTimeouts } from '../http/connection-timeouts.ts';
import type { AcmeChallengeResponses } from './acme-challenge-responses.ts';

const CHALLENGE_PATH = '/.well-known/acme-challenge/';
const ACME_TLS = 'acme-tls/1';
const HTTP = 'http/1.1';

/** Answers HTTP challenges, and redirects everything else to the public URL. */
export const listenForAcmeChallenges = async (
  challenges: AcmeChallengeResponses,
  publicUrl: string,
  host: string,
  port: number,
  limitConnections: (server: NetServer) => void,
): Promise<Server> => {
  const server = createServer(connectionTimeouts, (request, response) => {
    const path = request.url ?? '/';
    if (path.startsWith(CHALLENGE_PATH)) {
      const authorization = challenges.keyAuthorization(path.slice(CHALLENGE_PATH.length));
      response.writeHead(authorization === null ? 404 : 200, { 'content-type': 'text/plain' });
      response.end(authorization ?? 'Unknown challenge\n');
      return;
    }
    // The path cannot lead to another host, because it follows the origin.
    const target = `${new URL(publicUrl).origin}${path.startsWith('/') ? path : '/'}`;
    response.writeHead(308, { location: target }).end();
  });
  limitConnections(server);
  server.listen(port, host);
  await once(server, 'listening');
  return server;
};

interface OfferedProtocols {
  readonly servername: string;
  readonly protocols: string[];
}

/** Selects the protocol of a TLS connection. Answers TLS-ALPN challenges with their own certificate. */
export const createAcmeAlpnSelector = (challenges: AcmeChallengeResponses) =>
  function selectProtocol(this: TLSSocket, { servername, protocols }: OfferedProtocols): string | undefined {
    if (!protocols.includes(ACME_TLS)) return protocols.includes(HTTP) ? HTTP : undefined;
    const context = challenges.contextFor(servername);
    if (context === null) return undefined;
    this.setKeyCert(context);
    return ACME_TLS;
  };
