import { EventEmitter } from 'node:events';
import { pcscConstants } from './constants.ts';
import type { PcscCardConnection, PcscLibraryCalls } from './libpcsclite-calls.ts';

type Callback<T> = (error: Error | null, value?: T) => void;

interface ReaderStatus {
  readonly state: number;
  readonly atr?: Buffer;
}

interface ConnectOptions {
  readonly share_mode?: number;
  readonly protocol?: number;
}

/** Calls back outside the promise, so that an exception of the callback is not reported as a rejection. */
const settle = <T>(work: Promise<T>, callback: Callback<T>): void =>
  void work.then(
    value => process.nextTick(callback, null, value),
    (error: unknown) => process.nextTick(callback, error),
  );

interface CardReaderEvents {
  status: [ReaderStatus];
  error: [Error];
  end: [];
}

/** The constants are on the prototype of the reader. */
const EmitterWithConstants = EventEmitter as unknown as new () => EventEmitter<CardReaderEvents> & typeof pcscConstants;

/**
 * One reader. Has its own context, so that a slow card does not delay other readers. Calls run one after the other:
 * a second `connect` waits for the first and then shares its connection.
 */
export class PcscCardReader extends EmitterWithConstants {
  readonly name: string;
  /** The last reported state; undefined before the first. */
  state: number | undefined;
  readonly #library: PcscLibraryCalls;
  #context: Promise<number> | null = null;
  #connection: PcscCardConnection | null = null;
  #lastCall: Promise<unknown> = Promise.resolve();

  constructor(name: string, library: PcscLibraryCalls) {
    super();
    this.name = name;
    this.#library = library;
  }

  get connected(): boolean {
    return this.#connection !== null;
  }

  /** Without options: exclusive access, and the protocol that the card prefers. */
  connect(options: ConnectOptions | Callback<number>, callback?: Callback<number>): void {
    const done = typeof options === 'function' ? options : callback!;
    const { share_mode, protocol } = typeof options === 'function' ? {} : options;
    const parameters = {
      shareMode: share_mode ?? pcscConstants.SCARD_SHARE_EXCLUSIVE,
      protocols: protocol ?? pcscConstants.SCARD_PROTOCOL_T0 | pcscConstants.SCARD_PROTOCOL_T1,
    };
    const connect = async (): Promise<number> => {
      this.#connection ??= await this.#library.connect(await this.#openContext(), this.name, parameters);
      return this.#connection.protocol;
    };
    settle(this.#next(connect), done);
  }

  /** The connection has ended in any case: after an error the card has left. */
  disconnect(disposition: number | Callback<void>, callback?: Callback<void>): void {
    const done = typeof disposition === 'function' ? disposition : callback!;
    const action = typeof disposition === 'function' ? pcscConstants.SCARD_UNPOWER_CARD : disposition;
    const disconnect = async (): Promise<void> => {
      const connection = this.#connection;
      this.#connection = null;
      if (connection !== null) await this.#library.disconnect(connection, action);
    };
    settle(this.#next(disconnect), done);
  }

  /** `protocol` is that of the connection. */
  transmit(data: Uint8Array, maxLength: number, _protocol: number, callback: Callback<Buffer>): void {
    const transmit = () => this.#library.transmit(this.#requireConnection(), data, maxLength);
    settle(this.#next(transmit), callback);
  }

  control(data: Uint8Array, code: number, maxLength: number, callback: Callback<Buffer>): void {
    const control = () => this.#library.control(this.#requireConnection(), code, data, maxLength);
    settle(this.#next(control), callback);
  }

  SCARD_CTL_CODE(code: number): number {
    return 0x42000000 + code;
  }

  close(): void {
    this.#connection = null;
    void this.#context?.then(this.#library.closeContext).catch(() => undefined);
    this.#context = null;
    this.emit('end');
    this.removeAllListeners('status');
  }

  #openContext(): Promise<number> {
    if (this.#context !== null) return this.#context;
    const context = this.#library.openContext();
    context.catch(() => (this.#context = null));
    this.#context = context;
    return context;
  }

  #requireConnection(): PcscCardConnection {
    if (this.#connection === null) throw new Error('Card Reader not connected');
    return this.#connection;
  }

  #next<T>(call: () => Promise<T>): Promise<T> {
    const result = this.#lastCall.then(call);
    this.#lastCall = result.catch(() => undefined);
    return result;
  }
}

Object.assign(PcscCardReader.prototype, pcscConstants);
