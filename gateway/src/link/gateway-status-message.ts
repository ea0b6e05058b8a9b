import { inferPowerOfRunningDevice, unknownPowerStatus } from '@lintel/access-core/power-status';
import type { FaultRegistry } from '@lintel/service/faults/fault-registry';
import type { DeviceStatusMqttMessage } from '@lintel/wire-protocol/mqtt/messages/device-status';
import type { GatewayClock } from '../clock/gateway-clock.ts';
import type { GatewayMessageStore } from '../gateway-message-store.ts';

/** As in the hardware profile of the gateway: a gateway that runs has mains. */
const capabilities = { mains: true, battery: false, battery_rechargeable: false };

/** What a gateway reports about itself. */
export const buildGatewayStatusMessage = (
  clock: GatewayClock,
  store: GatewayMessageStore,
  faults: FaultRegistry,
): DeviceStatusMqttMessage => ({
  v: 1,
  at: clock.now(),
  ...inferPowerOfRunningDevice(capabilities, unknownPowerStatus),
  waiting_events: store.frames.total.events,
  faults: faults.list(),
});
