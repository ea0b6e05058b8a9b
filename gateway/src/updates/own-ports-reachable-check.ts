import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

export interface GatewayPortState {
  /** All ports accept connections. */
  readonly isOpen: boolean;
  readonly isSlow: boolean;
}

export interface GatewayPortCheckDependencies {
  /** As URLs. `mqtts` includes a TLS handshake. */
  readonly addresses: () => readonly string[];
  readonly monotonic: () => number;
}

const TIMEOUT_MS = 3000;
const SLOW_MS = 1000;
const INTERVAL_MS = 250;

const isReachable = (url: URL): Promise<boolean> =>
  new Promise(resolve => {
    const target = { host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(url.port), timeout: TIMEOUT_MS };
    const isTls = url.protocol === 'mqtts:';
    // The server is this process, so its certificate needs no check.
    const socket: Socket = isTls ? connectTls({ ...target, rejectUnauthorized: false }) : connect(target);
    const end = (isReached: boolean) => (): void => {
      resolve(isReached);
      socket.destroy();
    };
    socket.once(isTls ? 'secureConnect' : 'connect', end(true));
    socket.once('timeout', end(false));
    socket.once('close', end(false));
    socket.on('error', end(false));
  });

/** Connects to the gateway's own ports, as controllers do. */
export class GatewayPortCheck {
  readonly #deps: GatewayPortCheckDependencies;
  #state: GatewayPortState = { isOpen: false, isSlow: false };
  #checkedAt = -Infinity;
  #isChecking = false;

  constructor(deps: GatewayPortCheckDependencies) {
    this.#deps = deps;
  }

  /** The result of the last check. Starts another one when that is too old. */
  get state(): GatewayPortState {
    if (!this.#isChecking && this.#deps.monotonic() - this.#checkedAt >= INTERVAL_MS) void this.#check();
    return this.#state;
  }

  async #check(): Promise<void> {
    const { addresses, monotonic } = this.#deps;
    this.#isChecking = true;
    const startedAt = monotonic();
    const results = await Promise.all(addresses().map(address => isReachable(new URL(address))));
    this.#checkedAt = monotonic();
    this.#state = { isOpen: results.every(Boolean), isSlow: this.#checkedAt - startedAt >= SLOW_MS };
    this.#isChecking = false;
  }
}
