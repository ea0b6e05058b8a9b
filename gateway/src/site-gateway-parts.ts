import type { ConnectionLimits } from '@lintel/device-link/connection/broker-connection';
import type { DeviceKeys } from '@lintel/device-link/identity/device-keys';
import type { Membership } from '@lintel/device-link/identity/membership';
import type { FaultRegistry } from '@lintel/service/faults/fault-registry';
import type { Log } from '@lintel/service/log';
import type { UpdateDesk } from '@lintel/updates/device/update-desk';
import type { SiteClock } from './clock/site-clock.ts';
import type { ForwardLimits } from './forwarding/forwarder.ts';
import type { PassingRequests } from './routing/passing-requests.ts';
import type { SiteStore } from './site-store.ts';

export interface SiteGatewayParts {
  readonly dataDir: string;
  /** Read each time: it is renewed while the gateway runs. */
  readonly membership: () => Membership;
  readonly keys: DeviceKeys;
  readonly digestKeyId: string;
  readonly firmware: string;
  readonly upstreamUrls: () => readonly string[];
  readonly clock: SiteClock;
  readonly monotonic: () => number;
  readonly system: () => number;
  readonly faults: FaultRegistry;
  readonly store: SiteStore;
  readonly requests: PassingRequests;
  /** Absent where nobody could start another version. */
  readonly updates?: UpdateDesk | undefined;
  readonly log: Log;
  readonly forwardLimits?: Partial<ForwardLimits>;
  readonly connectionLimits?: Partial<ConnectionLimits>;
}
