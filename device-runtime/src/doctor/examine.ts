import type { Profile } from '@lintel/hardware-profiles/profile-schema';
import type { Finding } from './finding.ts';
import { takeInventory } from './inventory.ts';
import { judgeMachine } from './judge-machine.ts';
import { judgeProfile } from './judge-profile.ts';
import { listParts } from './list-parts.ts';
import { thisMachine } from './machine.ts';

export interface Examination {
  /** Of the machine and what is plugged in. */
  readonly findings: readonly Finding[];
  /** What a profile wants against what is there. */
  readonly judge: (profile: Profile) => readonly Finding[];
}

/** Looks at this machine once. */
export const examine = async (dataDir: string): Promise<Examination> => {
  const machine = thisMachine();
  const inventory = await takeInventory(machine, dataDir);
  return {
    findings: [...judgeMachine(machine, inventory, dataDir), ...listParts(machine, inventory)],
    judge: profile => judgeProfile(profile, machine, inventory),
  };
};
