/** A reader's own key. Unconfirmed: written down before it is sent, and nobody knows whether it arrived. */
export interface ReaderKey {
  readonly bytes: Uint8Array;
  readonly confirmed: boolean;
}

/** The key cannot be had or kept: the file is damaged, readable by others, or the disk does not obey. */
export class ReaderKeyError extends Error {
  override readonly name = 'ReaderKeyError';
}

/** The base keys of the secure channels, one for each reader. Both methods throw ReaderKeyError. */
export interface ReaderKeys {
  /** For people who look for it: the path of a file. */
  placeOf(address: number): string;
  read(address: number): ReaderKey | null;
  /** Flushed when it returns. */
  write(address: number, key: ReaderKey): void;
}
