import type { Machine } from './machine.ts';
import { findClaim, type FoundClaim } from './probes/claim.ts';
import { findClock, type FoundClock } from './probes/clock.ts';
import { findDisk, type FoundDisk } from './probes/disk.ts';
import { findGpioChips, type FoundGpioChip } from './probes/gpio-chips.ts';
import { findKeyboards, type FoundKeyboard } from './probes/keyboards.ts';
import { findNetwork, type FoundNetwork } from './probes/network.ts';
import { findSerialPorts, type FoundSerialPort } from './probes/serial-ports.ts';
import { findSmartCards, type FoundSmartCards } from './probes/smart-cards.ts';

/** What is there. */
export interface Inventory {
  readonly serialPorts: readonly FoundSerialPort[];
  readonly smartCards: FoundSmartCards;
  readonly gpioChips: readonly FoundGpioChip[];
  readonly keyboards: readonly FoundKeyboard[];
  readonly clock: FoundClock;
  readonly disk: FoundDisk;
  readonly claim: FoundClaim;
  readonly network: FoundNetwork;
}

export const takeInventory = async (machine: Machine, dataDir: string): Promise<Inventory> => {
  const claim = findClaim(dataDir);
  const [smartCards, gpioChips, network] = await Promise.all([
    findSmartCards(machine),
    findGpioChips().catch(() => []),
    findNetwork(machine, claim.bridge_url),
  ]);
  return {
    serialPorts: findSerialPorts(machine),
    smartCards,
    gpioChips,
    keyboards: findKeyboards(machine),
    clock: findClock(machine),
    disk: findDisk(machine, dataDir),
    claim,
    network,
  };
};
