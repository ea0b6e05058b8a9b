import type { DeviceId } from '@lintel/access-core/ids';
import type { Storage } from '../storage/open-storage.ts';

const noDevices: ReadonlySet<DeviceId> = new Set();

interface Gateway {
  readonly organizationId: string;
  /** The claimed devices of its site, for which it may publish and subscribe. */
  readonly siteDevices: ReadonlySet<DeviceId>;
  /** The devices that its last message `connected-devices` lists. */
  readonly connected: ReadonlySet<DeviceId>;
}

/** The devices that are connected through each gateway, and the devices that a gateway may act for. */
export class GatewayDeviceRegistry {
  readonly #gateways = new Map<string, Gateway>();
  /** The gateways that have forwarded signed messages of a device, by device. */
  readonly #forwardedBy = new Map<string, Set<string>>();

  register(gateway: string, organizationId: string, siteDevices: ReadonlySet<DeviceId>): void {
    this.#gateways.set(gateway, { organizationId, siteDevices, connected: this.connectedThrough(gateway) });
  }

  /** A message that the device has signed came through this connection. */
  recordForwarded(device: string, from: string | null): void {
    if (from === null || from === device) return;
    const gateways = this.#forwardedBy.get(device);
    if (gateways === undefined) this.#forwardedBy.set(device, new Set([from]));
    else gateways.add(from);
  }

  hasForwarded(gateway: string, device: string): boolean {
    return this.#forwardedBy.get(device)?.has(gateway) ?? false;
  }

  connectedThrough(gateway: string): ReadonlySet<DeviceId> {
    return this.#gateways.get(gateway)?.connected ?? noDevices;
  }

  /** Devices that are claimed later are included after `refreshSiteDevices`. */
  devicesAtSiteOf(gateway: string): ReadonlySet<DeviceId> {
    return this.#gateways.get(gateway)?.siteDevices ?? noDevices;
  }

  /** Returns the devices that were connected through the gateway before and no longer are. */
  setConnected(gateway: string, organizationId: string, devices: ReadonlySet<DeviceId>): readonly DeviceId[] {
    const before = this.connectedThrough(gateway);
    this.#gateways.set(gateway, { organizationId, siteDevices: this.devicesAtSiteOf(gateway), connected: devices });
    return [...before].filter(device => !devices.has(device));
  }

  /** Returns the devices that were connected through the gateway. */
  disconnectGateway(gateway: string): readonly DeviceId[] {
    const known = this.#gateways.get(gateway);
    if (known === undefined) return [];
    this.#gateways.set(gateway, { ...known, connected: noDevices });
    return [...known.connected];
  }

  /** Call before a gateway learns of a new device: the gateway may publish for the device immediately after that. */
  async refreshSiteDevices(
    { reader }: Pick<Storage, 'reader'>,
    organizationId: string,
    onlyGateway?: string,
  ): Promise<void> {
    for (const [id, { organizationId: ownOrganizationId }] of this.#gateways) {
      if (ownOrganizationId !== organizationId || (onlyGateway !== undefined && onlyGateway !== id)) continue;
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
      // Deleted devices stay in the set: a late message for such a device is dropped when it is read, and must not end the
      // connection of the gateway.
      this.#gateways.set(id, {
        ...known,
        siteDevices: new Set([...known.siteDevices, ...rows.map(row => row.id as DeviceId)]),
      });
    }
  }
}
