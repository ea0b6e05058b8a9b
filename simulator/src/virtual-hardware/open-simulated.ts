import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BusOf } from '@lintel/hardware-profiles/buses';
import type { BusContext, OpenedBus } from '@lintel/drivers/open-parts/opened-bus';
import { openPartsSocket } from './parts-socket.ts';
import { SimulatedParts } from './simulated-parts.ts';

/** Without its socket the parts are there all the same: nobody can move them, and the log says why. */
export const openSimulated = async (bus: BusOf<'simulated'>, context: BusContext): Promise<OpenedBus> => {
  const { clock, dataDir, log, profile, stepClock } = context;
  const parts = new SimulatedParts(bus, profile, clock, stepClock);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, 'parts.sock');
  const socket = await openPartsSocket(path, parts).catch((error: Error) => {
    log('warn', 'the simulated parts cannot be reached', { path, reason: error.message });
    return null;
  });
  const { outputs, inputs, keypads, readers } = parts;
  return { outputs, inputs, keypads, readers, close: async () => socket?.close() };
};
