import { describeClockWarning } from './clock/clock-warning.ts';
import type { GatewayClock } from './clock/gateway-clock.ts';
import type { FaultRegistry } from '@lintel/service/faults/fault-registry';
import type { ClaimedGateway } from './claimed-gateway.ts';
import type { RevocationStore } from './revocations/store.ts';

export interface GatewayMaintenanceDependencies {
  readonly faults: FaultRegistry;
  readonly clock: GatewayClock;
  readonly system: () => number;
  readonly writeStatusAddress: () => void;
  /** Null until it is claimed. */
  readonly revocations: RevocationStore | null;
  readonly gateway: ClaimedGateway | null;
}

/** Called periodically. Checks the clock and retries writes that a full disk rejected, so that their faults clear. */
export const runGatewayMaintenance = ({
  faults,
  clock,
  system,
  writeStatusAddress,
  revocations,
  gateway,
}: GatewayMaintenanceDependencies): void => {
  const warning = describeClockWarning(clock.now(), system(), clock.isTrusted);
  if (warning === null) faults.clear('clock');
  else if (!faults.has('clock')) faults.set('clock', warning);
  if (faults.has('status_address')) writeStatusAddress();
  if (faults.has('clock_unsaved')) clock.save();
  if (faults.has('site_unsaved')) gateway?.snapshot.save();
  if (faults.has('store')) revocations?.retry();
};
