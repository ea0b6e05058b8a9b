import { clockDoubt } from './clock/clock-doubt.ts';
import type { SiteClock } from './clock/site-clock.ts';
import type { FaultRegistry } from '@lintel/service/faults/fault-registry';
import type { SiteGateway } from './site-gateway.ts';
import type { SiteStore } from './site-store.ts';

export interface UpkeepParts {
  readonly faults: FaultRegistry;
  readonly clock: SiteClock;
  readonly system: () => number;
  readonly tellWhere: () => void;
  /** Null until it is claimed. */
  readonly store: SiteStore | null;
  readonly gateway: SiteGateway | null;
}

/** Called now and then: what a full disk has refused is tried again, so that its faults end by themselves. */
export const upkeep = ({ faults, clock, system, tellWhere, store, gateway }: UpkeepParts): void => {
  const doubt = clockDoubt(clock.now(), system(), clock.isTrusted);
  if (doubt === null) faults.clear('clock');
  else if (!faults.has('clock')) faults.set('clock', doubt);
  if (faults.has('status_address')) tellWhere();
  if (faults.has('clock_unsaved')) clock.save();
  if (faults.has('site_unsaved')) gateway?.slice.save();
  // What an earlier run has left in a store that could not be read until now.
  if (faults.has('store') && store?.frames.tryAgain() === 'reloaded' && gateway?.isOpen === true)
    gateway.forwarder.open();
};
