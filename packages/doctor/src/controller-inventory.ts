import type { HostSystem } from './host-system.ts';
import { probeClaim, type FoundClaim } from './probes/claim.ts';
import { probeClock, type FoundClock } from './probes/clock.ts';
import { probeDisk, type DiskProbeResult } from './probes/disk.ts';
import { probeGpioChips, type FoundGpioChip } from './probes/gpio-chips.ts';
import { probeKeyboards, type FoundKeyboard } from './probes/keyboards.ts';
import { probeNetwork, type FoundNetwork } from './probes/network.ts';
import { probeSerialPorts, type FoundSerialPort } from './probes/serial-ports.ts';
import { probeSmartCardReaders, type SmartCardReaderProbeResult } from './probes/smart-card-readers.ts';

/** The detected hardware, clock, disk, claim and network. */
export interface ControllerInventory {
  readonly serialPorts: readonly FoundSerialPort[];
  readonly smartCards: SmartCardReaderProbeResult;
  readonly gpioChips: readonly FoundGpioChip[];
  readonly keyboards: readonly FoundKeyboard[];
  readonly clock: FoundClock;
  readonly disk: DiskProbeResult;
  readonly claim: FoundClaim;
  readonly network: FoundNetwork;
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
