import type { SimulatedHardwareOpener } from '@lintel/device-runtime/hardware';
import { openSimulatedBus } from './open-simulated-bus.ts';
import { openSimulatedRadio } from './open-simulated-bluetooth-radio.ts';
import { createSimulatedGadgetWiring } from './simulated-wiring.ts';

/** Passed to the drivers, so that a profile can use the driver `simulated`. */
export const simulatedHardwareOpener: SimulatedHardwareOpener = {
  openBus: openSimulatedBus,
  openRadio: openSimulatedRadio,
  wireGadget: createSimulatedGadgetWiring,
};
