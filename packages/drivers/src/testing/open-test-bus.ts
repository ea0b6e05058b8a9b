import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OpenedBus } from '../open-hardware/opened-bus.ts';
import type { HardwareBus } from '@lintel/hardware-profiles/bus-schemas';
import { loadProfiles } from '@lintel/hardware-profiles/load-profiles';
import { ProcessClock } from '@lintel/service/timing/process-monotonic-clock';
import { openBus } from '../open-hardware/driver-table.ts';

/** Opens a bus of a profile as the firmware does, with the time of the process. */
export const openTestBus = async (
  bus: HardwareBus,
  { name = 'bus', prepare = () => undefined }: { name?: string; prepare?: (dataDir: string) => void } = {},
): Promise<OpenedBus> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'lintel-bus-'));
  prepare(dataDir);
  const profile = loadProfiles().find(({ product_id }) => product_id === 'virtual')!;
  const opened = await openBus(bus, { name, clock: new ProcessClock(), dataDir, log: () => undefined, profile });
  return {
    ...opened,
    close: async () => {
      await opened.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
};
