import type { DeviceId } from '@lintel/access-core/ids';
import type { Storage } from '../storage/open-storage.ts';

const nobody: ReadonlySet<DeviceId> = new Set();

interface Gateway {
  readonly organizationId: string;
  /** The claimed devices of its site: for them it may speak. */
  readonly site: ReadonlySet<DeviceId>;
  /** Those that it has named: they hang on it now. */
  readonly named: ReadonlySet<DeviceId>;
}

/** Which devices hang on which gateway now, and for whom a gateway may speak at all. */
export class GatewayRoutes {
  readonly #gateways = new Map<string, Gateway>();

  /** It has shown who it is. */
  came(gateway: string, organizationId: string, site: ReadonlySet<DeviceId>): void {
    this.#gateways.set(gateway, { organizationId, site, named: this.carriedBy(gateway) });
  }

  carriedBy(gateway: string): ReadonlySet<DeviceId> {
    return this.#gateways.get(gateway)?.named ?? nobody;
  }

  /** Whoever was claimed after the gateway came is here as well, once `refresh` has looked. */
  atSiteOf(gateway: string): ReadonlySet<DeviceId> {
    return this.#gateways.get(gateway)?.site ?? nobody;
  }

  /** Answers those that hung on it before and do no more. */
  carry(gateway: string, organizationId: string, devices: ReadonlySet<DeviceId>): readonly DeviceId[] {
    const before = this.carriedBy(gateway);
    this.#gateways.set(gateway, { organizationId, site: this.atSiteOf(gateway), named: devices });
    return [...before].filter(device => !devices.has(device));
  }

  /** Answers those that hung on it. */
  leave(gateway: string): readonly DeviceId[] {
    const known = this.#gateways.get(gateway);
    if (known === undefined) return [];
    this.#gateways.set(gateway, { ...known, named: nobody });
    return [...known.named];
  }

  /** Before a gateway is told of a device it may speak for it: whoever hears its name brings it along at once. */
  async refresh({ reader }: Pick<Storage, 'reader'>, organizationId: string, only?: string): Promise<void> {
    for (const [id, { organizationId: own }] of this.#gateways) {
      if (own !== organizationId || (only !== undefined && only !== id)) continue;
      const rows = await reader
        .selectFrom('devices as d')
        .innerJoin('devices as g', 'g.site_id', 'd.site_id')
        .innerJoin('device_links as l', 'l.device_id', 'd.id')
        .select('d.id')
        .where('g.id', '=', id)
        .where('d.is_deleted', '=', 0)
        .execute();
      const known = this.#gateways.get(id);
      if (known === undefined) continue;
      // Nobody is taken out while it is connected: a last word for a device that has just been deleted is dropped where it
      // is read, and must not cost all the others their line.
      this.#gateways.set(id, { ...known, site: new Set([...known.site, ...rows.map(row => row.id as DeviceId)]) });
    }
  }
}
