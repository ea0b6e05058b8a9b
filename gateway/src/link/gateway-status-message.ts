import { inferPowerOfRunningDevice, unknownPowerStatus } from '@lintel/access-core/power-status';
import type { FaultRegistry } from '@lintel/service/faults/fault-registry';
import type { DeviceStatusMqttMessage } from '@lintel/wire-protocol/mqtt/messages/device-status';
import type { GatewayClock } from '../clock/gateway-clock.ts';

/** As in the hardware profile of the gateway: a gateway that runs has mains. */
const capabilities = { mains: true, battery: false, battery_rechargeable: false };

/** What a gateway reports about itself. */
export const buildGatewayStatusMessage = (clock: GatewayClock, faults: FaultRegistry): DeviceStatusMqttMessage => ({
  v: 1,
  at: clock.now(),
  ...inferPowerOfRunningDevice(capabilities, unknownPowerStatus),
  // Controllers keep their events and report them.
  waiting_events: 0,
  faults: faults.list(),
});
