import type { PartFaultListener } from '../interfaces/part-fault.ts';
import { PartHealth } from '../part-health/part-health.ts';
import type { SerialLine } from './serial-line-interface.ts';

/** Limit of the queue: at 9600 baud this takes four seconds to send. */
const MOST_BYTES = 4_096;

interface Waiting {
  readonly bytes: Uint8Array;
  readonly sent: () => void;
  readonly failed: (error: Error) => void;
}

/** Bytes waiting to be written, in order. */
export class SerialWriteQueue {
  readonly #waiting: Waiting[] = [];
  #bytes = 0;

  add(bytes: Uint8Array): Promise<void> {
    if (this.#bytes + bytes.length > MOST_BYTES) return Promise.reject(new Error('The write queue is full'));
    this.#bytes += bytes.length;
    return new Promise((sent, failed) => this.#waiting.push({ bytes: Uint8Array.from(bytes), sent, failed }));
  }

  take(): Waiting | undefined {
    const next = this.#waiting.shift();
    if (next !== undefined) this.#bytes -= next.bytes.length;
    return next;
  }

  /** Outdated commands are dropped when the port comes back: a relay would switch at the wrong time. */
  drop(reason: string): void {
    for (const { failed } of this.#waiting.splice(0)) failed(new Error(reason));
    this.#bytes = 0;
  }
}

export abstract class SerialLineBase implements SerialLine {
  protected readonly health = new PartHealth();
  readonly #listeners: ((bytes: Uint8Array) => void)[] = [];
  readonly #openListeners: (() => void)[] = [];

  abstract write(bytes: Uint8Array): Promise<void>;

  abstract close(): Promise<void>;

  onBytes(listener: (bytes: Uint8Array) => void): void {
    this.#listeners.push(listener);
  }

  onOpen(listener: () => void): void {
    this.#openListeners.push(listener);
  }

  onFault(listener: PartFaultListener): void {
    this.health.onFault(listener);
  }

  protected opened(): void {
    for (const listener of this.#openListeners) listener();
    this.health.clear();
  }

  protected received(bytes: Uint8Array): void {
    for (const listener of this.#listeners) listener(bytes);
  }
}
