import { join } from 'node:path';
import { minimalCapabilities } from '@lintel/hardware-profiles/capabilities-schema';
import { readFileIfExists, UnreadableFileError } from '@lintel/service/data-folder/damaged-file';
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
  #isUnread = false;

  constructor(dataDir: string) {
    this.#file = join(dataDir, 'profile.json');
  }

  /** Falls back to the unconfigured profile, so that the technician page can choose another one. */
  read(): SelectedProfile {
    try {
      if (readFileIfExists(this.#file) === null) return { profile: unconfiguredProfile(), problem: null };
    } catch (error) {
      if (!(error instanceof UnreadableFileError)) throw error;
      this.#isUnread = true;
      return { profile: unconfiguredProfile(), problem: error.message };
    }
    const checked = checkProfileFile(this.#file);
    if (checked.ok) return { profile: checked.profile, problem: null };
    const [first] = checked.problems;
    const problem = `${this.#file}: ${first?.path ?? ''} ${first?.message ?? 'is not valid'}`;
    return { profile: unconfiguredProfile(), problem };
  }

  /** True when the file can be read that could not be read before. */
  canReadAgain(): boolean {
    if (!this.#isUnread) return false;
    try {
      return readFileIfExists(this.#file) !== null;
    } catch {
      return false;
    }
  }

  save(profile: Profile): void {
    writePrivateFile(this.#file, `${JSON.stringify(profile, null, 2)}\n`);
  }
}
