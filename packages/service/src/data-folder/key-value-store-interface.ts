export class KeyValueStoreError extends Error {
  override readonly name = 'KeyValueStoreError';
}

/** Small values that survive a restart. */
export interface KeyValueStore<Key extends string> {
  /** Undefined when there is no value, or it cannot be read. */
  read(key: Key): unknown;
  /** True from a read that failed although there is a value. Default: never. */
  isUnreadable?(key: Key): boolean;
  /**
   * Writes the value as JSON and flushes it. After a power cut, the old or the new value is complete. Throws
   * KeyValueStoreError, also for a value that could not be read: its successor was made without knowing it.
   */
  write(key: Key, value: unknown): void;
  /** Writes a value that does not depend on the earlier one, so that it may replace one that cannot be read. Default: `write`. */
  replace?(key: Key, value: unknown): void;
}
