import type { DeviceId } from '@lintel/access-core/ids';

const nobody: ReadonlySet<DeviceId> = new Set();

/** Which devices hang on which gateway now. */
export class GatewayRoutes {
  readonly #carried = new Map<string, ReadonlySet<DeviceId>>();

  carriedBy(gateway: string): ReadonlySet<DeviceId> {
    return this.#carried.get(gateway) ?? nobody;
  }

  /** Answers those that hung on it before and do no more. */
  carry(gateway: string, devices: ReadonlySet<DeviceId>): readonly DeviceId[] {
    const before = this.carriedBy(gateway);
    this.#carried.set(gateway, devices);
    return [...before].filter(device => !devices.has(device));
  }

  /** Answers those that hung on it. */
  leave(gateway: string): readonly DeviceId[] {
    const before = this.carriedBy(gateway);
    this.#carried.delete(gateway);
    return [...before];
  }
}
