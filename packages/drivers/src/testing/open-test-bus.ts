import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OpenedBus } from '../definition/context.ts';
import { ProcessClock } from '@lintel/service/timing/process-monotonic-clock';
import { type HardwareBus, openBus } from '../drivers.ts';

/** Opens a bus of a profile as the firmware does, with the time of the process. */
export const openTestBus = async (
  bus: HardwareBus,
  { name = 'bus', prepare = () => undefined }: { name?: string; prepare?: (dataDir: string) => void } = {},
): Promise<OpenedBus> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'lintel-bus-'));
  prepare(dataDir);
  const opened = await openBus(bus, { name, clock: new ProcessClock(), dataDir, log: () => undefined });
  return {
    ...opened,
    close: async () => {
      await opened.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
};
