import type { BrokerConnectionLimits } from '@lintel/device-link/connection/broker-connection';
import type { DeviceKeys } from '@lintel/device-link/identity/device-keys';
import type { DeviceEnrollment } from '@lintel/device-link/identity/device-enrollment';
import type { FaultRegistry } from '@lintel/service/faults/fault-registry';
import type { Log } from '@lintel/service/log-function-type';
import type { UpdateHandler } from '@lintel/updates/update-handler-interface';
import type { GatewayClock } from './clock/gateway-clock.ts';
import type { RequestsInFlight } from './routing/requests-in-flight.ts';
import type { RevocationStore } from './revocations/store.ts';

export interface ClaimedGatewayDependencies {
  readonly dataDir: string;
  /** Read on each use, because it is renewed while the gateway runs. */
  readonly enrollment: () => DeviceEnrollment;
  readonly keys: DeviceKeys;
  readonly digestKeyId: string;
  readonly firmware: string;
  readonly upstreamUrls: () => readonly string[];
  readonly clock: GatewayClock;
  readonly monotonic: () => number;
  readonly system: () => number;
  readonly faults: FaultRegistry;
  readonly revocations: RevocationStore;
  readonly requests: RequestsInFlight;
  /** Absent when the gateway was not started by its launcher. */
  readonly updates?: UpdateHandler | undefined;
  readonly log: Log;
  readonly connectionLimits?: Partial<BrokerConnectionLimits>;
}
