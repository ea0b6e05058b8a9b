import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import type { AddressGuard } from './address-guard.ts';

const CONNECT_MS = 5000;

class BlockedAddressError extends Error {
  constructor(target: string) {
    super(`${target} is not a public address (--webhook-allow permits others)`);
  }
}

/** Resolves a host name to its allowed addresses. */
const guardedLookup =
  (guard: AddressGuard): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '');
      const allowed = addresses.filter(({ address }) => guard.isAllowed(address));
      const [first] = allowed;
      if (first === undefined) return callback(new BlockedAddressError(hostname), '');
      if (options.all === true) return callback(null, allowed);
      callback(null, first.address, first.family);
    });
  };

/**
 * Connects only to addresses that the guard allows. Checks the address of the connection itself, because a host name may
 * resolve to another address than before (DNS rebinding).
 */
export const createGuardedConnector = (guard: AddressGuard): buildConnector.connector => {
  const connect = buildConnector({ allowH2: false, timeout: CONNECT_MS, lookup: guardedLookup(guard) });
  return (options, callback) => {
    const host = options.hostname.replace(/^\[(.*)\]$/, '$1');
    // Node skips the lookup when the host is an IP address.
    if (isIP(host) !== 0 && !guard.isAllowed(host)) return callback(new BlockedAddressError(host), null);
    connect(options, (...connected) => {
      const [error, socket] = connected;
      if (error !== null) return callback(error, null);
      if (guard.isAllowed(socket.remoteAddress ?? '')) return callback(null, socket);
      socket.destroy();
      callback(new BlockedAddressError(options.hostname), null);
    });
  };
};
