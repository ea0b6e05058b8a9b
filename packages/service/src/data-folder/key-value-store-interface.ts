export class KeyValueStoreError extends Error {
  override readonly name = 'KeyValueStoreError';
}

/** Small values that survive a restart. */
export interface KeyValueStore<Key extends string> {
  /** Undefined when there is no value, or it cannot be read. */
  read(key: Key): unknown;
  /**
   * Writes the value as JSON and flushes it. After a power cut, the old or the new value is complete. Throws KeyValueStoreError.
   */
  write(key: Key, value: unknown): void;
}
