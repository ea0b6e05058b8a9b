import type { Profile } from '@lintel/hardware-profiles/check-profile';
import type { DoctorFinding } from './doctor-finding.ts';
import { takeControllerInventory } from './controller-inventory.ts';
import { checkHost } from './check-host.ts';
import { checkProfileHardware } from './check-profile-hardware.ts';
import { listHardwareFindings } from './list-hardware-findings.ts';
import { createLocalHostSystem } from './host-system.ts';

export interface HardwareExamination {
  /** Findings about the machine and the connected hardware. */
  readonly findings: readonly DoctorFinding[];
  /** Compares the hardware of a profile with the connected hardware. */
  readonly checkProfile: (profile: Profile) => readonly DoctorFinding[];
}

/** Examines this machine once. */
export const examineHardware = async (dataDir: string): Promise<HardwareExamination> => {
  const machine = createLocalHostSystem();
  const inventory = await takeControllerInventory(machine, dataDir);
  return {
    findings: [...checkHost(machine, inventory, dataDir), ...listHardwareFindings(machine, inventory)],
    checkProfile: profile => checkProfileHardware(profile, machine, inventory),
  };
};
