/** The key of a reader. Unconfirmed: stored before sending, and the reader may not have received it. */
export interface OsdpReaderKey {
  readonly bytes: Uint8Array;
  readonly confirmed: boolean;
  /** The key of the reader that is being replaced. Only an unconfirmed key has one. */
  readonly previous?: Uint8Array;
}

/** The key cannot be read or stored: the file is damaged or readable by others, or the disk fails. */
export class OsdpReaderKeyError extends Error {
  override readonly name = 'OsdpReaderKeyError';
}

/** The base keys of the secure channels, one for each reader. Both methods throw OsdpReaderKeyError. */
export interface OsdpReaderKeyStore {
  /** The path of the file, shown in messages. */
  placeOf(address: number): string;
  read(address: number): OsdpReaderKey | null;
  /** Flushed to disk when it returns. */
  write(address: number, key: OsdpReaderKey): void;
}
