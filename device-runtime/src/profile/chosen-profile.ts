import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivately } from '@lintel/service/data-folder/private-file';
import { checkProfileFile } from '@lintel/hardware-profiles/load-profiles';
import { checkProfile, type Profile } from '@lintel/hardware-profiles/profile-schema';

export const UNCONFIGURED = 'unconfigured';

/** A board of which nobody has said yet what hangs on it: nothing is switched and nothing is read. */
const unconfigured = {
  product_id: UNCONFIGURED,
  name: 'Not configured yet',
  revision: '1',
  capabilities: {
    gadgets: 'none',
    gadget_max_count: 0,
    script: false,
    internet: true,
    ethernet: true,
    wifi: true,
    cellular: false,
    pin: false,
    nfc: false,
    input_rules: false,
    mains: true,
    battery: false,
    battery_rechargeable: false,
    audio: false,
  },
};

const unconfiguredProfile = (): Profile => {
  const checked = checkProfile({ buses: {}, stations: {}, ...unconfigured });
  if (checked.ok) return checked.profile;
  throw new Error(`${checked.problems[0]?.path} ${checked.problems[0]?.message}`);
};

export interface ProfileInUse {
  readonly profile: Profile;
  /** Why the one that was chosen is not in use. */
  readonly problem: string | null;
}

/** The profile that a technician has chosen at the door, in the controller's own folder. */
export class KeptProfile {
  readonly #file: string;

  constructor(dataDir: string) {
    this.#file = join(dataDir, 'profile.json');
  }

  /** One that cannot be used is no reason to leave the technician without the page where another is chosen. */
  read(): ProfileInUse {
    if (!existsSync(this.#file)) return { profile: unconfiguredProfile(), problem: null };
    const checked = checkProfileFile(this.#file);
    if (checked.ok) return { profile: checked.profile, problem: null };
    const [first] = checked.problems;
    const problem = `${this.#file}: ${first?.path ?? ''} ${first?.message ?? 'is not valid'}`;
    return { profile: unconfiguredProfile(), problem };
  }

  keep(profile: Profile): void {
    writePrivately(this.#file, `${JSON.stringify(profile, null, 2)}\n`);
  }
}
