import { useEffect, useState } from 'preact/hooks';

/** A value that is looked at from several places. */
export class Store<T> {
  #value: T;
  readonly #onlookers = new Set<() => void>();

  constructor(value: T) {
    this.#value = value;
  }

  get value(): T {
    return this.#value;
  }

  set(value: T): void {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    for (const look of this.#onlookers) look();
  }

  watch(look: () => void): () => void {
    this.#onlookers.add(look);
    return () => void this.#onlookers.delete(look);
  }
}

export const useStore = <T>(store: Store<T>): T => {
  const [, again] = useState<object>({});
  useEffect(() => store.watch(() => again({})), [store]);
  return store.value;
};
