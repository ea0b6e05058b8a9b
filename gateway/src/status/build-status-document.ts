import type { DeviceEnrollment } from '@lintel/device-link/identity/device-enrollment';
import type { DeviceId } from '@lintel/access-core/ids';
import type { GatewayClock } from '../clock/gateway-clock.ts';
import type { FaultRegistry } from '@lintel/service/faults/fault-registry';
import { readGatewayVersion } from '../gateway-version.ts';
import type { ClaimedGateway } from '../claimed-gateway.ts';
import type { RevocationStore } from '../revocations/store.ts';
import type { GatewayControllerStatus, GatewayAddresses, GatewayStatusDocument } from './status-document-types.ts';

export interface GatewayStatusDependencies {
  readonly addresses: GatewayAddresses;
  readonly enrollment: DeviceEnrollment | null;
  readonly gateway: ClaimedGateway | null;
  readonly revocations: RevocationStore | null;
  readonly clock: GatewayClock;
  readonly faults: FaultRegistry;
  /** The current time of the monotonic clock. */
  readonly monotonic: number;
}

/** Times are stored on the monotonic clock, because the wall clock can be set at any time. */
const toWallTime = ({ clock, monotonic }: GatewayStatusDependencies, at: number): string =>
  new Date(clock.now() - (monotonic - at)).toISOString();

const controllersOf = (deps: GatewayStatusDependencies): GatewayControllerStatus[] => {
  const { gateway } = deps;
  if (gateway === null) return [];
  const connected = gateway.devices.connected();
  const names = gateway.snapshot.peers.names();
  const ids = new Set<DeviceId>([...names.keys(), ...connected.keys()]);
  return [...ids]
    .map(id => {
      const since = connected.get(id);
      return {
        device_id: id,
        name: names.get(id) ?? '',
        connected: since !== undefined,
        was_connected: gateway.devices.wasConnected(id),
        since: since === undefined ? null : toWallTime(deps, since),
      };
    })
    .toSorted((a, b) => a.name.localeCompare(b.name) || (a.device_id < b.device_id ? -1 : 1));
};

interface SiteEntry {
  readonly name?: string;
  readonly timezone?: string | null;
}

const siteOf = ({ gateway }: GatewayStatusDependencies): SiteEntry =>
  (gateway?.snapshot.held?.entries.find(({ type }) => type === 'site') as SiteEntry | undefined) ?? {};

export const buildGatewayStatusDocument = (deps: GatewayStatusDependencies): GatewayStatusDocument => {
  const { enrollment, gateway, revocations, clock, faults, monotonic } = deps;
  const counts = gateway?.counts;
  return {
    version: readGatewayVersion(),
    claimed: enrollment !== null,
    device_id: enrollment?.device_id ?? null,
    organization_id: enrollment?.organization_id ?? null,
    site: siteOf(deps).name ?? null,
    site_time_zone: siteOf(deps).timezone ?? null,
    addresses: deps.addresses,
    upstream: {
      connected: gateway?.isOnline ?? false,
      url: gateway?.connection.url ?? null,
      since: toWallTime(deps, gateway?.linkChangedAt ?? monotonic),
    },
    clock: { time: new Date(clock.now()).toISOString(), trusted: clock.isTrusted, source: clock.source },
    revocations: revocations?.count ?? 0,
    controllers: controllersOf(deps),
    traffic: {
      up: counts?.up ?? 0,
      down: counts?.down ?? 0,
      local: counts?.local ?? 0,
      offline: counts?.offline ?? 0,
      dropped: counts?.dropped ?? 0,
    },
    certificate_expires_at: enrollment === null ? null : new Date(enrollment.expires_at).toISOString(),
    faults: faults.list(),
  };
};
