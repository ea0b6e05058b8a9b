import { powerOfRunningDevice, unknownPower } from '@lintel/access-core/power-status';
import type { FaultRegistry } from '@lintel/service/faults/fault-registry';
import type { DeviceStatusMqttMessage } from '@lintel/wire-protocol/mqtt/messages/status';
import type { SiteClock } from '../clock/site-clock.ts';
import type { SiteStore } from '../site-store.ts';

/** As in the hardware profile of the gateway: a gateway that runs has mains. */
const capabilities = { mains: true, battery: false, battery_rechargeable: false };

/** What a gateway reports about itself. */
export const buildGatewayStatus = (
  clock: SiteClock,
  store: SiteStore,
  faults: FaultRegistry,
): DeviceStatusMqttMessage => ({
  v: 1,
  at: clock.now(),
  ...powerOfRunningDevice(capabilities, unknownPower),
  waiting_events: store.frames.total.events,
  faults: faults.list(),
});
