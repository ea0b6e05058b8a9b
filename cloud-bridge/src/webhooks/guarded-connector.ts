import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import type { AddressGuard } from './address-guard.ts';

const CONNECT_MS = 5000;

class RefusedAddress extends Error {
  constructor(target: string) {
    super(`${target} is not a public address (--webhook-allow permits others)`);
  }
}

/** Resolves a name to those of its addresses that may be called. */
const guardedLookup =
  (guard: AddressGuard): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '');
      const permitted = addresses.filter(({ address }) => guard.permits(address));
      const [first] = permitted;
      if (first === undefined) return callback(new RefusedAddress(hostname), '');
      if (options.all === true) return callback(null, permitted);
      callback(null, first.address, first.family);
    });
  };

/**
 * Connects only where the guard permits. The address is judged when the connection is made: a name that answered with a
 * public address a moment ago may answer with another one now.
 */
export const guardedConnector = (guard: AddressGuard): buildConnector.connector => {
  const connect = buildConnector({ allowH2: false, timeout: CONNECT_MS, lookup: guardedLookup(guard) });
  return (options, callback) => {
    const host = options.hostname.replace(/^\[(.*)\]$/, '$1');
    // Node asks no lookup for what is an address already.
    if (isIP(host) !== 0 && !guard.permits(host)) return callback(new RefusedAddress(host), null);
    connect(options, (...connected) => {
      const [error, socket] = connected;
      if (error !== null) return callback(error, null);
      if (guard.permits(socket.remoteAddress ?? '')) return callback(null, socket);
      socket.destroy();
      callback(new RefusedAddress(options.hostname), null);
    });
  };
};
