import type { Membership } from '@lintel/device-link/identity/membership';
import type { DeviceId } from '@lintel/access-core/ids';
import type { SiteClock } from '../clock/site-clock.ts';
import type { FaultRegistry } from '@lintel/service/faults/fault-registry';
import { gatewayVersion } from '../gateway-version.ts';
import type { SiteGateway } from '../site-gateway.ts';
import type { SiteStore } from '../site-store.ts';
import type { ControllerStatus, GatewayAddresses, StatusDocument } from './status-document.ts';

export interface StatusParts {
  readonly addresses: GatewayAddresses;
  readonly membership: Membership | null;
  readonly gateway: SiteGateway | null;
  readonly store: SiteStore | null;
  readonly clock: SiteClock;
  readonly faults: FaultRegistry;
  /** Now. */
  readonly monotonic: number;
}

const nothing = { frames: 0, bytes: 0, events: 0 };

/** Moments are kept by the monotonic clock and shown by the kept one, which may be set meanwhile. */
const wallOf = ({ clock, monotonic }: StatusParts, at: number): string =>
  new Date(clock.now() - (monotonic - at)).toISOString();

const controllersOf = (parts: StatusParts): ControllerStatus[] => {
  const { gateway, store } = parts;
  if (gateway === null) return [];
  const connected = gateway.roster.connected();
  const names = gateway.slice.peers.names();
  const ids = new Set<DeviceId>([...names.keys(), ...connected.keys()]);
  return [...ids]
    .map(id => {
      const since = connected.get(id);
      return {
        device_id: id,
        name: names.get(id) ?? '',
        connected: since !== undefined,
        since: since === undefined ? null : wallOf(parts, since),
        waiting: store?.frames.of(id) ?? nothing,
      };
    })
    .toSorted((a, b) => a.name.localeCompare(b.name) || (a.device_id < b.device_id ? -1 : 1));
};

const siteName = ({ gateway }: StatusParts): string | null => {
  const site = gateway?.slice.held?.entries.find(({ type }) => type === 'site') as { name?: string } | undefined;
  return site?.name ?? null;
};

export const statusOf = (parts: StatusParts): StatusDocument => {
  const { membership, gateway, store, clock, faults, monotonic } = parts;
  const oldest = store?.frames.oldest() ?? null;
  const counts = gateway?.counts;
  return {
    version: gatewayVersion(),
    claimed: membership !== null,
    device_id: membership?.device_id ?? null,
    organization_id: membership?.organization_id ?? null,
    site: siteName(parts),
    addresses: parts.addresses,
    upstream: {
      connected: gateway?.isOpen ?? false,
      url: gateway?.connection.url ?? null,
      since: wallOf(parts, gateway?.lineChangedAt ?? monotonic),
    },
    clock: { time: new Date(clock.now()).toISOString(), trusted: clock.isTrusted, source: clock.source },
    queue: {
      ...(store?.frames.total ?? nothing),
      under_way: gateway?.forwarder.underWay ?? 0,
      oldest_at: oldest === null ? null : new Date(oldest.receivedAt).toISOString(),
      limit_bytes: store?.limits.mostBytes ?? 0,
    },
    revocations: store?.keeping(() => store.revocations.count) ?? 0,
    controllers: controllersOf(parts),
    traffic: {
      up: counts?.up ?? 0,
      down: counts?.down ?? 0,
      local: counts?.local ?? 0,
      unheard: counts?.unheard ?? 0,
      left: counts?.left ?? 0,
      dropped: counts?.dropped ?? 0,
    },
    certificate_expires_at: membership === null ? null : new Date(membership.expires_at).toISOString(),
    faults: faults.list(),
  };
};
