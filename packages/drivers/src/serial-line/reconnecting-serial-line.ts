import { stat } from 'node:fs/promises';
import {
  type OpenSerialPort,
  openSerialPort,
  type SerialPortHandle,
  type SerialLineOptions,
  formatSerialDisconnectedMessage,
  formatSerialConnectionLoss,
  formatSerialOpenError,
} from './open-serial-port.ts';
import { SerialLineBase, SerialWriteQueue } from './serial-line-base.ts';

const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 2_000;
const LOOK_MS = 500;

const identity = async (path: string): Promise<string | null> => {
  const found = await stat(path).catch(() => null);
  return found === null ? null : `${found.dev}:${found.ino}:${found.rdev}`;
};

/** A serial port that reopens automatically until it is closed. */
export class ReconnectingSerialLine extends SerialLineBase {
  readonly #options: SerialLineOptions;
  readonly #open: OpenSerialPort;
  readonly #queue = new SerialWriteQueue();
  #port: SerialPortHandle | null = null;
  #hasBeenOpen = false;
  #isWriting = false;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;
  #ended: Promise<void> = Promise.resolve();

  constructor(options: SerialLineOptions, open: OpenSerialPort = openSerialPort) {
    super();
    this.#options = options;
    this.#open = open;
    this.#ended = this.#connect(FIRST_RETRY_MS);
  }

  write(bytes: Uint8Array): Promise<void> {
    if (this.#isClosed) return Promise.reject(new Error('The line is closed'));
    if (this.health.fault !== null) return Promise.reject(new Error(this.health.fault.message));
    return this.#port === null || this.#isWriting ? this.#queue.add(bytes) : this.#send(this.#port, bytes);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#queue.drop('The line is closed');
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
      this.opened();
      this.#watch(port, node);
      this.#sendNext();
      port
        .listen(bytes => this.#heard(port, bytes))
        .catch((error: Error) => this.#lost(port, formatSerialConnectionLoss(path, error)));
    } catch (error) {
      this.#absent(formatSerialOpenError(path, error as Error, this.#hasBeenOpen));
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
    this.health.fail('absent', message);
  }

  #lost(port: SerialPortHandle, message: string): void {
    if (this.#port !== port) return;
    this.#port = null;
    clearTimeout(this.#timer);
    if (port.isOpen) port.close().catch(() => undefined);
    this.#absent(message);
    this.#later(FIRST_RETRY_MS);
  }

  #heard(port: SerialPortHandle, bytes: Uint8Array): void {
    if (this.#port !== port) return;
    this.received(bytes);
  }

  /** Some drivers do not report a lost port to a pending read, but the device path always disappears. */
  #watch(port: SerialPortHandle, node: string | null): void {
    this.#timer = setTimeout(() => void this.#look(port, node), LOOK_MS);
  }

  async #look(port: SerialPortHandle, node: string | null): Promise<void> {
    const found = await identity(this.#options.path);
    if (this.#port !== port || this.#isClosed) return;
    if (found === node) this.#watch(port, node);
    else this.#lost(port, formatSerialDisconnectedMessage(this.#options.path));
  }

  /** Writes chunks in order. */
  async #send(port: SerialPortHandle, bytes: Uint8Array): Promise<void> {
    this.#isWriting = true;
    try {
      await port.write(bytes);
    } catch (error) {
      this.#lost(port, formatSerialConnectionLoss(this.#options.path, error as Error));
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
