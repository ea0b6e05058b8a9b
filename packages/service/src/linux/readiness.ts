import type { Libc } from './libc.ts';

const POLLIN = 1;
const ENTRY_BYTES = 8;
/** A descriptor that is added while a call waits joins with the next one; one that is closed is let go with its end. */
const WAIT_MS = 100;

/**
 * Waits for any number of descriptors in one thread of the pool. Node watches sockets, pipes and terminals, but neither
 * lines of GPIO nor input devices, and a blocking read for each would use up the pool's four threads.
 */
export class Readiness {
  readonly #libc: Pick<Libc, 'poll'>;
  readonly #watched = new Map<number, () => void>();
  #isWaiting = false;

  constructor(libc: Pick<Libc, 'poll'>) {
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
        const happened = entries.readInt16LE(index * ENTRY_BYTES + 6);
        if (happened !== 0 && this.#watched.get(fd) === ready) ready();
      }
      this.#wait();
    });
  }
}
