import { connect, type Socket } from 'node:net';
import { addMilliseconds, type MonotonicTime } from '@lintel/access-core/monotonic-time';
import { getErrorCode } from '@lintel/service/error-code';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import { SerialLineBase } from '../serial-line/serial-line-base.ts';

export interface TcpLineOptions {
  readonly host: string;
  readonly port: number;
  readonly clock: MonotonicClock;
}

const CONNECT_MS = 3_000;
const RETRY_MS = 1_000;
/** A device that lost its power leaves the connection open: without bytes for this long it is opened again. */
const UNHEARD_MS = 5_000;

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refuses connections',
  ENOTFOUND: 'is unknown: check the name, or use the address',
  EHOSTUNREACH: 'cannot be reached: check network and power',
  ENETUNREACH: 'cannot be reached: check network and power',
};

/** A network connection that reopens automatically until it is closed. */
export class ReconnectingTcpLine extends SerialLineBase {
  readonly #options: TcpLineOptions;
  #socket: Socket | null = null;
  #isOpen = false;
  #isClosed = false;
  #unheardSince: MonotonicTime | null = null;
  #cancel: () => void = () => undefined;

  constructor(options: TcpLineOptions) {
    super();
    this.#options = options;
    this.#connect();
  }

  write(bytes: Uint8Array): Promise<void> {
    const { clock } = this.#options;
    const socket = this.#socket;
    if (socket === null || !this.#isOpen)
      return Promise.reject(new Error(this.health.fault?.message ?? this.#describe('is not connected yet')));
    const now = clock.now();
    this.#unheardSince ??= now;
    if (now - this.#unheardSince > UNHEARD_MS) {
      this.#lost(socket, this.#describe('does not respond'));
      return Promise.reject(new Error(this.#describe('does not respond')));
    }
    return new Promise((sent, failed) => {
      socket.write(bytes, error => (error === null || error === undefined ? sent() : failed(error)));
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel();
    this.#socket?.destroy();
    this.#socket = null;
  }

  #connect(): void {
    const { host, port } = this.#options;
    const socket = connect({ host, port, noDelay: true });
    this.#socket = socket;
    this.#after(CONNECT_MS, () => this.#lost(socket, this.#describe('does not respond')));
    socket.on('connect', () => {
      this.#cancel();
      this.#isOpen = true;
      this.#unheardSince = null;
      this.opened();
    });
    socket.on('data', bytes => {
      this.#unheardSince = null;
      this.received(bytes);
    });
    socket.on('error', error => this.#lost(socket, this.#describe(REASONS[getErrorCode(error)] ?? error.message)));
    socket.on('close', () => this.#lost(socket, this.#describe('closed the connection')));
  }

  #lost(socket: Socket, message: string): void {
    if (this.#socket !== socket || this.#isClosed) return;
    this.#socket = null;
    this.#isOpen = false;
    socket.destroy();
    this.health.fail('absent', message);
    this.#after(RETRY_MS, () => this.#connect());
  }

  #after(milliseconds: number, then: () => void): void {
    const { clock } = this.#options;
    this.#cancel();
    this.#cancel = clock.wake(addMilliseconds(clock.now(), milliseconds), then);
  }

  #describe(problem: string): string {
    return `${this.#options.host}:${this.#options.port} ${problem}`;
  }
}
