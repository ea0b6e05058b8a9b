import { closeSync, constants, fdatasyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';

export interface EventNumber {
  readonly sequence: number;
  readonly epoch: string;
}

/** The number of the last event, beside the event file. */
export interface LastEventNumber {
  /** Null when unknown. */
  read(): EventNumber | null;
  /** Never throws. An older number that stays proves less, but nothing wrong. */
  write(number: EventNumber, options: { readonly isFlushed: boolean }): void;
}

export const noLastEventNumber: LastEventNumber = { read: () => null, write: () => undefined };

const BYTES = 64;

/**
 * Shows at the next start whether the end of the event file is missing, and whether events were in memory only. Written
 * after each event, and not flushed if the event is: a killed process leaves it exact, a power cut may leave an older number.
 * The space is taken once, so that it can be written when the disk is full.
 */
export class LastNumberFile implements LastEventNumber {
  readonly #path: string;
  #file: number | null = null;

  constructor(path: string) {
    this.#path = path;
  }

  read(): EventNumber | null {
    try {
      const [crc, sequence, epoch] = readFileSync(this.#path, 'utf8').trim().split(' ');
      if (epoch === undefined || crc32(`${sequence} ${epoch}`) !== Number(crc)) return null;
      return { sequence: Number(sequence), epoch };
    } catch {
      return null;
    }
  }

  write({ sequence, epoch }: EventNumber, { isFlushed }: { readonly isFlushed: boolean }): void {
    const text = `${sequence} ${epoch}`;
    try {
      this.#file ??= openSync(this.#path, constants.O_WRONLY | constants.O_CREAT, 0o600);
      writeSync(this.#file, `${`${crc32(text)} ${text}`.padEnd(BYTES)}\n`, 0);
      if (isFlushed) fdatasyncSync(this.#file);
    } catch {
      this.close();
    }
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }
}
