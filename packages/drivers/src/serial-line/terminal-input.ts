import { closeSync, constants, openSync } from 'node:fs';
import type { OnReadOpts } from 'node:net';
import { ReadStream } from 'node:tty';

const PIECE_BYTES = 4_096;
/** Pieces are small and many: they are read one behind the other into a larger stretch. */
const STRETCH_BYTES = 16 * PIECE_BYTES;

/** Where the next piece goes. What was read stays what it is. */
class Stretch {
  #bytes = Buffer.alloc(0);
  #used = 0;

  room(): Buffer {
    if (this.#used + PIECE_BYTES > this.#bytes.length) {
      this.#bytes = Buffer.allocUnsafeSlow(STRETCH_BYTES);
      this.#used = 0;
    }
    return this.#bytes.subarray(this.#used, this.#used + PIECE_BYTES);
  }

  keep(count: number): void {
    this.#used += count;
  }
}

/** The event loop reads a terminal through an open file of its own, and leaves the one that it was given to its giver. */
const streamOf = (descriptor: number, onread: OnReadOpts): ReadStream => {
  const { O_RDONLY, O_NOCTTY, O_NONBLOCK } = constants;
  // Not the port's: the event loop puts its own in the place of what it is given, and the lock would go with it.
  const given = openSync(`/proc/self/fd/${descriptor}`, O_RDONLY | O_NOCTTY | O_NONBLOCK);
  let used: number | null = null;
  try {
    const stream = new ReadStream(given, { onread }) as ReadStream & { readonly _handle: { readonly fd: number } };
    used = stream._handle.fd;
    return stream;
  } finally {
    if (used !== given) closeSync(given);
  }
};

/**
 * Reads an open terminal where the event loop finds it readable, without a stream's queue in between. Ends when it is
 * destroyed or the terminal fails.
 */
export const terminalInput = (descriptor: number, take: (bytes: Uint8Array) => void): ReadStream => {
  const stretch = new Stretch();
  const callback = (count: number, bytes: Uint8Array): boolean => {
    stretch.keep(count);
    try {
      take(bytes.subarray(0, count));
    } catch (error) {
      input.destroy(error as Error);
    }
    return true;
  };
  const input = streamOf(descriptor, { buffer: () => stretch.room(), callback });
  input.resume();
  return input;
};

/** Why it ended. */
export const endOf = (input: ReadStream): Promise<Error> =>
  new Promise(told => {
    input.once('error', told);
    input.once('close', () => told(new Error('the port was hung up')));
  });
