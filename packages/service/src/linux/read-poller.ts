import type { LibcCalls } from './libc.ts';

const POLLIN = 1;
const ENTRY_BYTES = 8;
/** Descriptors that are added or removed during a poll take effect with the next one. */
const WAIT_MS = 100;

/**
 * Polls any number of descriptors in one thread of the libuv pool. Node does not watch GPIO lines and input devices, and a blocking
 * read for each would use up the four threads of the pool.
 */
export class ReadPoller {
  readonly #libc: Pick<LibcCalls, 'poll'>;
  readonly #watched = new Map<number, () => void>();
  #isWaiting = false;

  constructor(libc: Pick<LibcCalls, 'poll'>) {
    this.#libc = libc;
  }

  watch(fd: number, ready: () => void): () => void {
    this.#watched.set(fd, ready);
    this.#wait();
    return () => {
      if (this.#watched.get(fd) === ready) this.#watched.delete(fd);
    };
  }

  #wait(): void {
    if (this.#isWaiting || this.#watched.size === 0) return;
    this.#isWaiting = true;
    const watched = [...this.#watched];
    const entries = Buffer.alloc(watched.length * ENTRY_BYTES);
    for (const [index, [fd]] of watched.entries()) {
      entries.writeInt32LE(fd, index * ENTRY_BYTES);
      entries.writeInt16LE(POLLIN, index * ENTRY_BYTES + 4);
    }
    this.#libc.poll(entries, watched.length, WAIT_MS, () => {
      this.#isWaiting = false;
      for (const [index, [fd, ready]] of watched.entries()) {
        const events = entries.readInt16LE(index * ENTRY_BYTES + 6);
        if (events !== 0 && this.#watched.get(fd) === ready) ready();
      }
      this.#wait();
    });
  }
}
