import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { minimalCapabilities } from '@lintel/hardware-profiles/capabilities-schema';
import { writePrivateFile } from '@lintel/service/data-folder/private-file';
import { checkProfileFile } from '@lintel/hardware-profiles/load-profiles';
import { checkProfile, type Profile } from '@lintel/hardware-profiles/check-profile';

export const UNCONFIGURED_PRODUCT_ID = 'unconfigured';

/** A board without a chosen profile: no outputs, no inputs. */
const unconfigured = {
  product_id: UNCONFIGURED_PRODUCT_ID,
  name: 'Not configured yet',
  revision: '1',
  capabilities: { ...minimalCapabilities, internet: true, ethernet: true, wifi: true },
};

const unconfiguredProfile = (): Profile => {
  const checked = checkProfile({ buses: {}, stations: {}, ...unconfigured });
  if (checked.ok) return checked.profile;
  throw new Error(`${checked.problems[0]?.path} ${checked.problems[0]?.message}`);
};

export interface SelectedProfile {
  readonly profile: Profile;
  /** Why the chosen profile is not used. */
  readonly problem: string | null;
}

/** The profile that a technician chose, in the data folder. */
export class SelectedProfileFile {
  readonly #file: string;

  constructor(dataDir: string) {
    this.#file = join(dataDir, 'profile.json');
  }

  /** Falls back to the unconfigured profile, so that the technician page can choose another one. */
  read(): SelectedProfile {
    if (!existsSync(this.#file)) return { profile: unconfiguredProfile(), problem: null };
    const checked = checkProfileFile(this.#file);
    if (checked.ok) return { profile: checked.profile, problem: null };
    const [first] = checked.problems;
    const problem = `${this.#file}: ${first?.path ?? ''} ${first?.message ?? 'is not valid'}`;
    return { profile: unconfiguredProfile(), problem };
  }

  save(profile: Profile): void {
    writePrivateFile(this.#file, `${JSON.stringify(profile, null, 2)}\n`);
  }
}
