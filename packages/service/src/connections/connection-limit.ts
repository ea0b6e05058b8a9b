import type { Server, Socket } from 'node:net';
import type { Log } from '../log-function-type.ts';
import { computeNetworkShare, listClientNetworks } from './client-network.ts';

export interface ConnectionRate {
  readonly per_second: number;
  readonly burst: number;
}

export interface ConnectionLimits {
  readonly open: number;
  readonly openPerNetwork: number;
  /** Limits of new connections. Default: none. */
  readonly rate?: { readonly all: ConnectionRate; readonly perNetwork: ConnectionRate };
}

const MOST_REMEMBERED = 1_024;
const WARNING_INTERVAL_MS = 60_000;

/** A token bucket. */
class ConnectionBudget {
  readonly #rate: ConnectionRate;
  #left: number;
  #at: number;

  constructor(rate: ConnectionRate, now: number) {
    this.#rate = rate;
    this.#left = rate.burst;
    this.#at = now;
  }

  has(now: number): boolean {
    const { per_second, burst } = this.#rate;
    this.#left = Math.min(burst, this.#left + (Math.max(0, now - this.#at) * per_second) / 1_000);
    this.#at = now;
    return this.#left >= 1;
  }

  take(): void {
    this.#left -= 1;
  }
}

interface Network {
  readonly budget: ConnectionBudget | null;
  open: number;
}

/** Counts open connections of one or several servers, in all and per network, so that one client does not block others. */
export class ConnectionLimit {
  readonly #limits: ConnectionLimits;
  readonly #now: () => number;
  readonly #all: ConnectionBudget | null;
  /** Least recently seen first. */
  readonly #networks = new Map<string, Network>();
  #open = 0;

  /** `now` in milliseconds. */
  constructor(limits: ConnectionLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
    this.#all = limits.rate === undefined ? null : new ConnectionBudget(limits.rate.all, now());
  }

  /** Returns a function to call when the connection closes; null rejects it. A shared address counts in all only. */
  admit(address: string | undefined, isShared = false): (() => void) | null {
    const now = this.#now();
    const names = isShared ? [] : listClientNetworks(address);
    const networks = names.map(name => this.#networkOf(name, now));
    const { open, openPerNetwork } = this.#limits;
    const isPermitted =
      this.#open < open &&
      networks.every((network, index) => network.open < openPerNetwork * computeNetworkShare(index)) &&
      networks[0]?.budget?.has(now) !== false &&
      this.#all?.has(now) !== false;
    if (!isPermitted) {
      this.#forgetIdle(names);
      return null;
    }
    networks[0]?.budget?.take();
    this.#all?.take();
    for (const network of networks) network.open += 1;
    this.#open += 1;
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      for (const network of networks) network.open -= 1;
      this.#open -= 1;
      this.#forgetIdle(names);
    };
  }

  /** With a rate, networks without connections are remembered too. */
  #forgetIdle(names: readonly string[]): void {
    if (this.#limits.rate !== undefined) return;
    for (const name of names) if (this.#networks.get(name)?.open === 0) this.#networks.delete(name);
  }

  #networkOf(name: string, now: number): Network {
    const rate = this.#limits.rate?.perNetwork;
    const network = this.#networks.get(name) ?? {
      budget: rate === undefined ? null : new ConnectionBudget(rate, now),
      open: 0,
    };
    this.#networks.delete(name);
    this.#networks.set(name, network);
    if (rate !== undefined && this.#networks.size > MOST_REMEMBERED) this.#evictIdle();
    return network;
  }

  #evictIdle(): void {
    for (const [name, { open }] of this.#networks) {
      if (open > 0) continue;
      this.#networks.delete(name);
      return;
    }
  }
}

export interface LimitedServerOptions {
  /** Whether the address is that of a reverse proxy, which connects for many clients. */
  readonly isShared?: (address: string) => boolean;
  /** Gets the function that ends counting the connection before it closes. */
  readonly onAdmitted?: (socket: Socket, release: () => void) => void;
  /** Gets a warning once a minute while connections are rejected. */
  readonly log?: Log | undefined;
}

/** Rejects excess connections. Call it before other listeners are added, because they get rejected connections destroyed. */
export const limitConnections = (
  server: Server,
  limit: ConnectionLimit,
  { isShared = () => false, onAdmitted, log }: LimitedServerOptions = {},
): void => {
  let warnedAt = Number.NEGATIVE_INFINITY;
  const warn = (message: string, address?: string): void => {
    if (performance.now() - warnedAt < WARNING_INTERVAL_MS) return;
    warnedAt = performance.now();
    log?.('warn', message, address === undefined ? {} : { address });
  };
  server.prependListener('connection', (socket: Socket) => {
    const { remoteAddress: address } = socket;
    const release = limit.admit(address, isShared(address ?? ''));
    if (release === null) {
      socket.destroy();
      warn('Too many open connections', address);
      return;
    }
    socket.once('close', release);
    onAdmitted?.(socket, release);
  });
  // Such as EMFILE, which later connections may not meet.
  server.on('error', error => warn(`Connections cannot be accepted: ${error.message}`));
  // Without a handshake a response would wait forever.
  server.prependListener('tlsClientError', (_: Error, socket: Socket) => socket.destroy());
};
