import * as z from 'zod';
import type { StateStore } from './state-store.ts';

const owner = z.object({ organization_id: z.string(), device_id: z.string() });

/** The organization that a controller was claimed for, and the device that it is there. */
export type Owner = z.infer<typeof owner>;

/** Whose slice, rules and events are in the data folder. */
export class Ownership {
  readonly #state: StateStore;
  #owner: Owner | null;

  constructor(state: StateStore) {
    this.#state = state;
    this.#owner = owner.safeParse(state.read('bound_to')).data ?? null;
  }

  /** Before anybody has claimed it, what is there is the next owner's. */
  isAnother({ organization_id, device_id }: Owner): boolean {
    return (
      this.#owner !== null && (this.#owner.organization_id !== organization_id || this.#owner.device_id !== device_id)
    );
  }

  /** Null as long as it was not claimed. */
  get deviceId(): string | null {
    return this.#owner?.device_id ?? null;
  }

  bind({ organization_id, device_id }: Owner): void {
    if (this.#owner !== null && !this.isAnother({ organization_id, device_id })) return;
    this.#owner = { organization_id, device_id };
    this.#state.write('bound_to', this.#owner);
  }
}
