import { useEffect, useState } from 'preact/hooks';

/** An observable value. */
export class ObservableValue<T> {
  #value: T;
  readonly #listeners = new Set<() => void>();

  constructor(value: T) {
    this.#value = value;
  }

  get value(): T {
    return this.#value;
  }

  set(value: T): void {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    for (const listener of this.#listeners) listener();
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

export const useObservableValue = <T>(store: ObservableValue<T>): T => {
  const [, render] = useState<object>({});
  const { value } = store;
  useEffect(() => {
    // The value may have changed between the rendering and the subscription.
    if (!Object.is(value, store.value)) render({});
    return store.subscribe(() => render({}));
  }, [store]);
  return value;
};
