import type { CommandEntry } from '@lintel/service/command-line/cli-command';

const loadVirtualHardware = async () =>
  (await import('@lintel/simulator/virtual-hardware/simulated-hardware-opener')).simulatedHardwareOpener;

/** Loads the firmware command with support for simulated hardware. */
export const loadDeviceCommand: CommandEntry['load'] = async () => {
  const { createDeviceCommand } = await import('@lintel/device-runtime/commands/device');
  return { command: createDeviceCommand(loadVirtualHardware) };
};
