import type { HostSystem } from './host-system.ts';
import { probeClaim, type ClaimedBridgeProbeResult } from './probes/claim.ts';
import { probeClock, type ClockProbeResult } from './probes/clock.ts';
import { probeDisk, type DiskProbeResult } from './probes/disk.ts';
import { probeGpioChips, type DetectedGpioChip } from './probes/gpio-chips.ts';
import { probeKeyboards, type DetectedKeyboard } from './probes/keyboards.ts';
import { probeNetwork, type NetworkProbeResult } from './probes/network.ts';
import { probeSerialPorts, type DetectedSerialPort } from './probes/serial-ports.ts';
import { probeSmartCardReaders, type SmartCardReaderProbeResult } from './probes/smart-card-readers.ts';

/** The detected hardware, clock, disk, claim and network. */
export interface ControllerInventory {
  readonly serialPorts: readonly DetectedSerialPort[];
  readonly smartCards: SmartCardReaderProbeResult;
  readonly gpioChips: readonly DetectedGpioChip[];
  readonly keyboards: readonly DetectedKeyboard[];
  readonly clock: ClockProbeResult;
  readonly disk: DiskProbeResult;
  readonly claim: ClaimedBridgeProbeResult;
  readonly network: NetworkProbeResult;
}

export const takeControllerInventory = async (machine: HostSystem, dataDir: string): Promise<ControllerInventory> => {
  const claim = probeClaim(dataDir);
  const [serialPorts, smartCards, gpioChips, network] = await Promise.all([
    probeSerialPorts(machine),
    probeSmartCardReaders(machine),
    probeGpioChips().catch(() => []),
    probeNetwork(machine, claim.bridge_url),
  ]);
  return {
    serialPorts,
    smartCards,
    gpioChips,
    keyboards: probeKeyboards(machine),
    clock: probeClock(machine),
    disk: probeDisk(machine, dataDir),
    claim,
    network,
  };
};
