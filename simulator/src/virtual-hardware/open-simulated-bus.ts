import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Profile } from '@lintel/hardware-profiles/check-profile';
import type { BusContext, OpenedBus, SimulatedBusSettings } from '@lintel/drivers/definition';
import { openSimulatedPartsSocket } from './parts-socket.ts';
import { SimulatedParts } from './simulated-parts.ts';

/** Opens a simulated bus and its socket. Without the socket, the bus works but the parts cannot be operated. */
export const openSimulatedBus = async (
  bus: SimulatedBusSettings,
  context: BusContext,
  profile: Profile,
): Promise<OpenedBus> => {
  const { clock, dataDir, log, stepClock } = context;
  const parts = new SimulatedParts(bus, profile, clock, stepClock);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, 'parts.sock');
  const socket = await openSimulatedPartsSocket(path, parts).catch((error: Error) => {
    log('warn', 'The socket of the simulated parts cannot be opened', { path, reason: error.message });
    return null;
  });
  const { outputs, inputs, keypads, readers } = parts;
  return { outputs, inputs, keypads, readers, close: async () => socket?.close() };
};
