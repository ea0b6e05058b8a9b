import { closeSync, constants, openSync } from 'node:fs';
import type { OnReadOpts } from 'node:net';
import { ReadStream } from 'node:tty';

const MAX_READ_BYTES = 4_096;
/** Size of the shared read buffer. Reads are small and frequent, so several share one allocation. */
const BUFFER_BYTES = 16 * MAX_READ_BYTES;

/** Provides the buffer for the next chunk. Bytes already read are never overwritten. */
class ReadBuffer {
  #bytes = Buffer.alloc(0);
  #used = 0;

  room(): Buffer {
    if (this.#used + MAX_READ_BYTES > this.#bytes.length) {
      this.#bytes = Buffer.allocUnsafeSlow(BUFFER_BYTES);
      this.#used = 0;
    }
    return this.#bytes.subarray(this.#used, this.#used + MAX_READ_BYTES);
  }

  keep(count: number): void {
    this.#used += count;
  }
}

/** Opens a separate descriptor for the event loop and leaves the given one to its owner. */
const streamOf = (descriptor: number, onread: OnReadOpts): ReadStream => {
  const { O_RDONLY, O_NOCTTY, O_NONBLOCK } = constants;
  // Not the descriptor of the port: the event loop replaces what it is given, and the lock would be lost.
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
 * Reads an open terminal whenever the event loop finds it readable, without stream buffering. Ends if it is destroyed
 * or the terminal fails.
 */
export const readTerminal = (descriptor: number, take: (bytes: Uint8Array) => void): ReadStream => {
  const stretch = new ReadBuffer();
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

/** Resolves with the reason for the end. */
export const waitForTerminalEnd = (input: ReadStream): Promise<Error> =>
  new Promise(resolve => {
    input.once('error', resolve);
    input.once('close', () => resolve(new Error('The port was hung up')));
  });
