import type { VirtualHardware } from '@lintel/drivers/open-parts/opened-bus';
import { openSimulated } from './open-simulated.ts';
import { wireByActions } from './simulated-wiring.ts';

/** What programs pass to the drivers so that a profile may name the driver `simulated`. */
export const virtualHardware: VirtualHardware = { openBus: openSimulated, wireGadget: wireByActions };
