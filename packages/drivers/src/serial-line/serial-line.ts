import { stat } from 'node:fs/promises';
import type { FaultListener } from '../ports/part-fault.ts';
import { PartHealth } from '../part-health/part-health.ts';
import { type OpenPort, openPort, type Port, type SerialLineOptions } from './open-port.ts';
import { disconnectedMessage, connectionLossMessage, openErrorMessage } from './port-errors.ts';
import type { SerialLine } from './serial-line-port.ts';
import { WriteQueue } from './write-queue.ts';

const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 2_000;
const LOOK_MS = 500;

const identity = async (path: string): Promise<string | null> => {
  const found = await stat(path).catch(() => null);
  return found === null ? null : `${found.dev}:${found.ino}:${found.rdev}`;
};

/** A serial port that opens again by itself for as long as it is wanted. */
export class ReconnectingSerialLine implements SerialLine {
  readonly #options: SerialLineOptions;
  readonly #open: OpenPort;
  readonly #health = new PartHealth();
  readonly #queue = new WriteQueue();
  readonly #listeners: ((bytes: Uint8Array) => void)[] = [];
  #port: Port | null = null;
  #hasBeenOpen = false;
  #isWriting = false;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;
  #ended: Promise<void> = Promise.resolve();

  constructor(options: SerialLineOptions, open: OpenPort = openPort) {
    this.#options = options;
    this.#open = open;
    this.#ended = this.#connect(FIRST_RETRY_MS);
  }

  write(bytes: Uint8Array): Promise<void> {
    if (this.#isClosed) return Promise.reject(new Error('the line is closed'));
    if (this.#health.fault !== null) return Promise.reject(new Error(this.#health.fault.message));
    return this.#port === null || this.#isWriting ? this.#queue.add(bytes) : this.#send(this.#port, bytes);
  }

  onBytes(listener: (bytes: Uint8Array) => void): void {
    this.#listeners.push(listener);
  }

  onFault(listener: FaultListener): void {
    this.#health.onFault(listener);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#queue.drop('the line is closed');
    await this.#port?.close().catch(() => undefined);
    await this.#ended;
  }

  async #connect(retry_ms: number): Promise<void> {
    const { path } = this.#options;
    try {
      const node = await identity(path);
      const port = await this.#open(this.#options);
      if (this.#isClosed) return await port.close();
      this.#port = port;
      this.#hasBeenOpen = true;
      this.#health.heal();
      this.#watch(port, node);
      this.#sendNext();
      port
        .listen(bytes => this.#heard(port, bytes))
        .catch((error: Error) => this.#lost(port, connectionLossMessage(path, error)));
    } catch (error) {
      this.#absent(openErrorMessage(path, error as Error, this.#hasBeenOpen));
      this.#later(retry_ms);
    }
  }

  #later(retry_ms: number): void {
    if (this.#isClosed) return;
    const next = Math.min(retry_ms * 2, LONGEST_RETRY_MS);
    this.#timer = setTimeout(() => {
      this.#ended = this.#connect(next);
    }, retry_ms);
  }

  #absent(message: string): void {
    if (this.#isClosed) return;
    this.#queue.drop(message);
    this.#health.fail('absent', message);
  }

  #lost(port: Port, message: string): void {
    if (this.#port !== port) return;
    this.#port = null;
    clearTimeout(this.#timer);
    if (port.isOpen) port.close().catch(() => undefined);
    this.#absent(message);
    this.#later(FIRST_RETRY_MS);
  }

  #heard(port: Port, bytes: Uint8Array): void {
    if (this.#port !== port) return;
    for (const listener of this.#listeners) listener(bytes);
  }

  /** Not every driver tells who only waits that its port has gone; that its name is gone shows with all. */
  #watch(port: Port, node: string | null): void {
    this.#timer = setTimeout(() => void this.#look(port, node), LOOK_MS);
  }

  async #look(port: Port, node: string | null): Promise<void> {
    const found = await identity(this.#options.path);
    if (this.#port !== port || this.#isClosed) return;
    if (found === node) this.#watch(port, node);
    else this.#lost(port, disconnectedMessage(this.#options.path));
  }

  /** One piece after the other: those that come meanwhile wait for their turn. */
  async #send(port: Port, bytes: Uint8Array): Promise<void> {
    this.#isWriting = true;
    try {
      await port.write(bytes);
    } catch (error) {
      this.#lost(port, connectionLossMessage(this.#options.path, error as Error));
      throw error;
    } finally {
      this.#isWriting = false;
      this.#sendNext();
    }
  }

  #sendNext(): void {
    const next = this.#port === null || this.#isWriting ? undefined : this.#queue.take();
    if (next !== undefined) this.#send(this.#port!, next.bytes).then(next.sent, next.failed);
  }
}
