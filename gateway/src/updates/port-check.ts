import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

export interface PortState {
  /** Whoever comes is let in, at each of them. */
  readonly isOpen: boolean;
  readonly isLate: boolean;
}

export interface PortCheckParts {
  /** As URLs: a TLS handshake is made with `mqtts`. */
  readonly addresses: () => readonly string[];
  readonly monotonic: () => number;
}

const PATIENCE_MS = 3000;
const LATE_MS = 1000;
const AGAIN_MS = 250;

const reached = (url: URL): Promise<boolean> =>
  new Promise(resolve => {
    const place = { host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(url.port), timeout: PATIENCE_MS };
    const isTls = url.protocol === 'mqtts:';
    // Who it is does not matter here: it is this very process.
    const socket: Socket = isTls ? connectTls({ ...place, rejectUnauthorized: false }) : connect(place);
    const end = (isReached: boolean) => (): void => {
      resolve(isReached);
      socket.destroy();
    };
    socket.once(isTls ? 'secureConnect' : 'connect', end(true));
    socket.once('timeout', end(false));
    socket.once('close', end(false));
    socket.on('error', end(false));
  });

/** Knocks at the gateway's own ports, as its controllers do. */
export class PortCheck {
  readonly #parts: PortCheckParts;
  #state: PortState = { isOpen: false, isLate: false };
  #lookedAt = -Infinity;
  #isLooking = false;

  constructor(parts: PortCheckParts) {
    this.#parts = parts;
  }

  /** As it was when somebody looked last, and not long ago. */
  get state(): PortState {
    if (!this.#isLooking && this.#parts.monotonic() - this.#lookedAt >= AGAIN_MS) void this.#look();
    return this.#state;
  }

  async #look(): Promise<void> {
    const { addresses, monotonic } = this.#parts;
    this.#isLooking = true;
    const begun = monotonic();
    const answers = await Promise.all(addresses().map(address => reached(new URL(address))));
    this.#lookedAt = monotonic();
    this.#state = { isOpen: answers.every(Boolean), isLate: this.#lookedAt - begun >= LATE_MS };
    this.#isLooking = false;
  }
}
