export class StateStoreError extends Error {
  override readonly name = 'StateStoreError';
}

/** Small values that outlive a restart. */
export interface StateStore<Key extends string> {
  /** Undefined when there is no value, or it cannot be read. */
  read(key: Key): unknown;
  /**
   * Writes the value as JSON and flushes it. After a power cut the old value or the new one is there, never half of each.
   * Throws StateStoreError.
   */
  write(key: Key, value: unknown): void;
}
