import * as z from 'zod';
import type { ControllerStateStore } from './controller-state-store.ts';

const owner = z.object({ organization_id: z.string(), device_id: z.string() });

/** The organization of a controller, and its device id there. */
export type DeviceOwner = z.infer<typeof owner>;

/** The owner of the snapshot, rules and events in the data folder. */
export class OwnershipRecord {
  readonly #state: ControllerStateStore;
  #owner: DeviceOwner | null;

  constructor(state: ControllerStateStore) {
    this.#state = state;
    this.#owner = owner.safeParse(state.read('bound_to')).data ?? null;
  }

  /** False before the first claim: data then belongs to the next owner. */
  isDifferentOwner({ organization_id, device_id }: DeviceOwner): boolean {
    return (
      this.#owner !== null && (this.#owner.organization_id !== organization_id || this.#owner.device_id !== device_id)
    );
  }

  /** Null before the first claim. */
  get deviceId(): string | null {
    return this.#owner?.device_id ?? null;
  }

  setOwner({ organization_id, device_id }: DeviceOwner): void {
    if (this.#owner !== null && !this.isDifferentOwner({ organization_id, device_id })) return;
    this.#owner = { organization_id, device_id };
    this.#state.write('bound_to', this.#owner);
  }
}
