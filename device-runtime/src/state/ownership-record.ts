import { crc32 } from 'node:zlib';
import * as z from 'zod';
import type { ControllerStateStore } from './controller-state-keys.ts';

const owner = z.object({ organization_id: z.string(), device_id: z.string() });

/** The organization of a controller, and its device id there. */
export type DeviceOwner = z.infer<typeof owner>;

/** Records of earlier versions have no checksum. */
const ownerRecord = owner.extend({ checksum: z.number().optional() });

const checksumOf = ({ organization_id, device_id }: DeviceOwner): number => crc32(`${organization_id} ${device_id}`);

/** Null for a damaged record, so that a flipped bit does not look like another owner. */
const readOwner = (state: ControllerStateStore): DeviceOwner | null => {
  const record = ownerRecord.safeParse(state.read('bound_to')).data;
  if (record === undefined || (record.checksum ?? checksumOf(record)) !== checksumOf(record)) return null;
  return { organization_id: record.organization_id, device_id: record.device_id };
};

/** The owner of the snapshot, rules and events in the data folder. */
export class OwnershipRecord {
  readonly #state: ControllerStateStore;
  #owner: DeviceOwner | null;

  constructor(state: ControllerStateStore) {
    this.#state = state;
    this.#owner = readOwner(state);
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
    this.#state.write('bound_to', { ...this.#owner, checksum: checksumOf(this.#owner) });
  }
}
