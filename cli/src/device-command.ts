import type { CommandEntry } from '@lintel/service/command-line/command';

const loadVirtualHardware = async () =>
  (await import('@lintel/simulator/virtual-hardware/virtual-hardware')).virtualHardware;

/** The firmware, with simulated parts for the profiles that name them. */
export const loadDeviceCommand: CommandEntry['load'] = async () => {
  const { deviceCommand } = await import('@lintel/device-runtime/commands/device');
  return { command: deviceCommand(loadVirtualHardware) };
};
