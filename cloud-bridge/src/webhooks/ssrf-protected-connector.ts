import { isIP, type LookupFunction } from 'node:net';
import { describeProtocolError } from '@lintel/service/connections/protocol-error';
import { buildConnector } from 'undici';
import type { WebhookAddressGuard } from '../http/webhook-address-guard.ts';

const CONNECT_MS = 5000;

class BlockedAddressError extends Error {
  constructor(target: string) {
    super(`${target} is not a public address (--webhook-allow permits others)`);
  }
}

/** No connection to the receiver exists, so it has not received the request. */
export class WebhookConnectionError extends Error {
  constructor(cause: Error) {
    // Several addresses were tried: the error itself has no message.
    const [first] = cause instanceof AggregateError ? (cause.errors as Error[]) : [];
    const problem = describeProtocolError(cause);
    const sentence = problem === null ? cause.message : `The receiver ${problem}`;
    super(sentence || first?.message || 'the connection failed', { cause });
  }
}

const guardedLookup =
  (guard: WebhookAddressGuard, port: number): LookupFunction =>
  (hostname, options, callback) => {
    guard.resolve(hostname, port, options, (error, addresses) => {
      if (error !== null) return callback(error, '');
      const [first] = addresses;
      if (first === undefined) return callback(new BlockedAddressError(hostname), '');
      if (options.all === true) return callback(null, [...addresses]);
      callback(null, first.address, first.family);
    });
  };

/**
 * Connects only to addresses that the guard allows. Checks the address of the connection itself, because a host name may
 * resolve to another address than before (DNS rebinding).
 */
export const createGuardedConnector = (guard: WebhookAddressGuard): buildConnector.connector => {
  // One for each port, because a lookup function does not receive the port. A connector caches TLS sessions.
  const connectors = new Map<number, buildConnector.connector>();
  const connectorFor = (port: number): buildConnector.connector => {
    const cached = connectors.get(port);
    if (cached !== undefined) return cached;
    const connect = buildConnector({ allowH2: false, timeout: CONNECT_MS, lookup: guardedLookup(guard, port) });
    connectors.set(port, connect);
    return connect;
  };
  return (options, callback) => {
    const host = options.hostname.replace(/^\[(.*)\]$/, '$1');
    const port = Number(options.port) || (options.protocol === 'https:' ? 443 : 80);
    const fail = (error: Error): void => callback(new WebhookConnectionError(error), null);
    // Node skips the lookup when the host is an IP address.
    if (isIP(host) !== 0 && !guard.isAllowed(host, port)) return fail(new BlockedAddressError(host));
    connectorFor(port)(options, (...connected) => {
      const [error, socket] = connected;
      if (error !== null) return fail(error);
      if (guard.isAllowed(socket.remoteAddress ?? '', port)) return callback(null, socket);
      socket.destroy();
      fail(new BlockedAddressError(options.hostname));
    });
  };
};
