import { type DeviceKeys, openDeviceKeys } from '@lintel/device-link/identity/device-keys';
import { isForKey } from '@lintel/device-link/identity/issued-check';
import { type Membership, MembershipFile } from '@lintel/device-link/identity/membership';

export interface Claimed {
  readonly membership: Membership;
  readonly keys: DeviceKeys;
}

const OTHER_KEY = 'identity/key.pem is not the key of the certificate. The device must be claimed again';

/** What the device is, from its files. A damaged one is told and makes an unclaimed controller, not a dead door. */
export class ClaimedIdentity {
  readonly file: MembershipFile;
  readonly #dataDir: string;
  readonly #tell: (problem: string | null) => void;
  #keys: DeviceKeys | null = null;
  #current: Claimed | null = null;

  constructor(dataDir: string, tell: (problem: string | null) => void) {
    this.#dataDir = dataDir;
    this.file = new MembershipFile(dataDir);
    this.#tell = tell;
  }

  get current(): Claimed | null {
    return this.#current;
  }

  /** Throws an IdentityError. */
  keys(): DeviceKeys {
    this.#keys ??= openDeviceKeys(this.#dataDir);
    return this.#keys;
  }

  /** At the start, after claiming and after a renewal. */
  read(): Claimed | null {
    const read = this.file.read();
    if (!read.ok) return this.#none(read.problems[0]?.message ?? 'the membership cannot be read');
    try {
      const keys = this.keys();
      if (read.value !== null && !isForKey(read.value.certificate, keys)) return this.#none(OTHER_KEY);
      this.#current = read.value === null ? null : { membership: read.value, keys };
      this.#tell(null);
      return this.#current;
    } catch (error) {
      return this.#none((error as Error).message);
    }
  }

  #none(problem: string): null {
    this.#current = null;
    this.#tell(problem);
    return null;
  }
}
