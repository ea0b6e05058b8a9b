import { closeSync, constants, fdatasyncSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { readFileIfExists } from './damaged-file.ts';
import { flushFolderSync } from './flush-folder.ts';

const SLOT_BYTES = 8_192;

interface Slot {
  readonly counter: number;
  readonly text: string;
}

const encodeSlot = ({ counter, text }: Slot): Buffer => {
  const body = `${counter} ${text}`;
  const bytes = Buffer.alloc(SLOT_BYTES, ' ');
  if (bytes.write(`${crc32(body)} ${body}\n`) >= SLOT_BYTES) throw new RangeError('The text is too long');
  return bytes;
};

const decodeSlot = (bytes: Buffer): Slot | null => {
  const [, crc, body, counter, text] = /^(\d+) ((\d+) (.*))\n/s.exec(bytes.toString()) ?? [];
  return body === undefined || crc32(body) !== Number(crc) ? null : { counter: Number(counter), text: text! };
};

/**
 * A text of up to 8 kB that can be replaced when the disk is full: all space is allocated at the first write. Writes
 * alternate between two slots, so that a power cut leaves the old or the new text.
 */
export class PreallocatedTextFile {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  #newest(): Slot | null {
    const bytes = readFileIfExists(this.#path);
    if (bytes === null) return null;
    const slots = [bytes.subarray(0, SLOT_BYTES), bytes.subarray(SLOT_BYTES)].map(decodeSlot);
    return slots.reduce((a, b) => (a === null || (b !== null && b.counter > a.counter) ? b : a));
  }

  /** Null when there is no text, or it is damaged. Throws an UnreadableFileError. */
  read(): string | null {
    return this.#newest()?.text ?? null;
  }

  /** Flushes the text to the disk. Throws if it cannot. */
  write(text: string): void {
    const counter = (this.#newest()?.counter ?? 0) + 1;
    const slot = encodeSlot({ counter, text });
    if (counter > 1) return this.#overwrite(slot, (counter % 2) * SLOT_BYTES);
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    this.#overwrite(Buffer.concat([Buffer.alloc(SLOT_BYTES, ' '), slot]), 0);
    flushFolderSync(dirname(this.#path));
  }

  #overwrite(bytes: Buffer, position: number): void {
    const file = openSync(this.#path, constants.O_RDWR | constants.O_CREAT, 0o600);
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at, position + at);
      fdatasyncSync(file);
    } finally {
      closeSync(file);
    }
  }
}
