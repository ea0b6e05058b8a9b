import { describeClockWarning } from './clock/clock-warning.ts';
import type { GatewayClock } from './clock/gateway-clock.ts';
import type { FaultRegistry } from '@lintel/service/faults/fault-registry';
import type { ClaimedGateway } from './claimed-gateway.ts';
import type { GatewayMessageStore } from './gateway-message-store.ts';

export interface GatewayMaintenanceDependencies {
  readonly faults: FaultRegistry;
  readonly clock: GatewayClock;
  readonly system: () => number;
  readonly writeStatusAddress: () => void;
  /** Null until it is claimed. */
  readonly store: GatewayMessageStore | null;
  readonly gateway: ClaimedGateway | null;
}

/** Called periodically. Checks the clock and retries writes that a full disk rejected, so that their faults clear. */
export const runGatewayMaintenance = ({
  faults,
  clock,
  system,
  writeStatusAddress,
  store,
  gateway,
}: GatewayMaintenanceDependencies): void => {
  const warning = describeClockWarning(clock.now(), system(), clock.isTrusted);
  if (warning === null) faults.clear('clock');
  else if (!faults.has('clock')) faults.set('clock', warning);
  if (faults.has('status_address')) writeStatusAddress();
  if (faults.has('clock_unsaved')) clock.save();
  if (faults.has('site_unsaved')) gateway?.snapshot.save();
  // The store became readable: send the frames of an earlier run.
  if (faults.has('store') && store?.frames.retry() === 'reloaded' && gateway?.isOnline === true)
    gateway.forwarder.resume();
};
