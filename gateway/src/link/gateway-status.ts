import type { FaultRegistry } from '@lintel/service/faults/fault-registry';
import type { DeviceStatusMessage } from '@lintel/wire-protocol/mqtt/messages/status';
import type { SiteClock } from '../clock/site-clock.ts';
import type { SiteStore } from '../site-store.ts';

/** What a gateway reports about itself; it has no power sensors. */
export const buildGatewayStatus = (clock: SiteClock, store: SiteStore, faults: FaultRegistry): DeviceStatusMessage => ({
  v: 1,
  at: clock.now(),
  mains_present: null,
  battery_present: null,
  battery_charging: null,
  battery_percent: null,
  waiting_events: store.frames.total.events,
  faults: faults.list(),
});
