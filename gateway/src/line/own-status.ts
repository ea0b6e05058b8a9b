import type { Status } from '@lintel/wire-protocol/mqtt/messages/status';
import type { SiteClock } from '../clock/site-clock.ts';
import type { FaultBook } from '../fault-book.ts';
import type { SiteStore } from '../site-store.ts';

/** What a gateway reports of itself; it knows nothing of its power. */
export const ownStatus = (clock: SiteClock, store: SiteStore, faults: FaultBook): Status => ({
  v: 1,
  at: clock.now(),
  mains_present: null,
  battery_present: null,
  battery_charging: null,
  battery_percent: null,
  waiting_events: store.frames.total.events,
  faults: faults.list(),
});
